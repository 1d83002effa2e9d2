import { isLeftOutWithoutPython, pythonWith } from "@proj/test-kit";
import { expect, test } from "vitest";
import { PythonTemplate } from "../../src/prompts/rendering/python-template.ts";

// Where chat templates rely on Python or on Jinja, and the interpreter does otherwise by itself.
const variables = {
  messages: [
    { role: "system", content: "s" },
    { role: "user", content: "\ufeff a \n" },
    { role: "assistant", content: "b", kept: true },
    { role: "user", content: "c" },
  ],
  tool: { type: ["string", "null"], items: { a: 1 }, default: null, "it's": "\n", flag: true },
  text: "--x, y--",
  nothing: null,
  tools: null,
};

const templates: Readonly<Record<string, string>> = {
  "values as text":
    "{{ tool.default }}|{{ tool.flag }}|{{ tool.type }}|{{ tool.type|string }}|{{ ('a', 1) }}|{{ tool.missing }}|{{ 1.5 }}|{{ [\"it's\", 'a\"b', '\\t\\x07é'] }}",
  "values joined": "{{ 'a' ~ tool.default ~ 1 ~ true }}{{ [none, 1, 'x', false]|join('-') }}",
  "filters of any type":
    "{{ tool.type|upper }}{{ tool.missing|upper }}{{ nothing|string }}{{ 12|string|length }}",
  equality:
    "{{ none == tool.missing }}{{ '1' == 1 }}{{ [1, 'a'] == [1, 'a'] }}{{ true == 1 }}{{ {'a': [1]} != {'a': [1]} }}",
  membership:
    "{{ tool.type in [['string', 'null']] }}{{ 1 in [1.0] }}{{ 'a' in nothing_at_all }}{{ 'items' not in tool }}{{ none in [none] }}",
  "stripped text":
    "{{ text.strip('-') }}|{{ text.lstrip('-x') }}|{{ text.rstrip('-y') }}|{{ messages[1].content|trim }}|{{ ' \\n x \\n'.rstrip('\\n') }}",
  "methods of text": "{{ '<{}:{b}>{{}}'.format(1, b='z') }}{{ 'hELLO'.capitalize() }}",
  "methods of objects":
    "{% for key, value in tool.items() %}{{ key }}={{ value }};{% endfor %}{{ tool.get('items') }}{{ tool.get(1, 'no') }}",
  "numbers as keys":
    "{% set steps = {512: 'b', 0: 'a', 1024: 'c'} %}{% for size, name in steps|dictsort %}{{ size + 1 }}{{ name }}{% endfor %}{{ steps[512] }}",
  "the smallest": "{{ [3, 1, 2]|min }}",
  "selected messages":
    "{{ messages|selectattr('role', 'in', ['user', 'system'])|map(attribute='content')|list|length }}{{ messages|rejectattr('kept')|list|length }}{{ tools|selectattr('a')|list }}{{ ['a', 'b']|map('upper')|join }}",
  "turns of a loop":
    "{% for message in messages %}{% if message.kept %}{% set seen = 1 %}{% endif %}{{ seen is defined }}{% endfor %}",
  "a loop's variable that is set":
    "{% for message in messages %}{% set message = message.role %}{{ message }}{% endfor %}",
  jumps:
    "{% for message in messages %}<{{ message.role }}{% if loop.first %}!{% continue %}{% else %}?{% if message.kept %}.{% break %}{% endif %}{% endif %}>{% else %}none{% endfor %}",
  "jumps within jumps":
    "{% for a in [1, 2, 3] %}{% for b in [1, 2, 3] %}{{ a }}{{ b }}{% if b == a %}{% break %}{% endif %},{% endfor %}{% if a == 2 %}{% continue %}{% endif %};{% endfor %}",
  "what can be looped over":
    "{% for part in 'é🙂' %}[{{ part }}]{% endfor %}{% for part in nothing_at_all %}x{% endfor %}{{ tool is iterable }}{{ tool is sequence }}{{ nothing_at_all is iterable }}{{ 1 is not iterable }}",
  "line ends": "a\r\n{% if true %}\r\nb\r\n{% endif %}\r\nc",
  variables:
    "{{ tools is defined }}{{ tools is none }}{{ documents is defined }}{{ True }}{{ None }}",
};

/** What Python makes of each. */
const expected: Readonly<Record<string, string>> = {
  "values as text":
    "None|True|['string', 'null']|['string', 'null']|('a', 1)||1.5|[\"it's\", 'a\"b', '\\t\\x07é']",
  "values joined": "aNone1TrueNone-1-x-False",
  "filters of any type": "['STRING', 'NULL']None2",
  equality: "FalseFalseTrueTrueFalse",
  membership: "TrueTrueFalseFalseTrue",
  "stripped text": "x, y|, y--|--x, |﻿ a| \n x ",
  "methods of text": "<1:z>{}Hello",
  "methods of objects":
    "type=['string', 'null'];items={'a': 1};default=None;it's=\n;flag=True;{'a': 1}no",
  "numbers as keys": "1a513b1025cb",
  "the smallest": "1",
  "selected messages": "33[]AB",
  "turns of a loop": "FalseFalseTrueFalse",
  "a loop's variable that is set": "systemuserassistantuser",
  jumps: "<system!<user?><assistant?.",
  "jumps within jumps": "11;21,2231,32,33;",
  "what can be looped over": "[é][🙂]TrueTrueTrueTrue",
  "line ends": "a\nb\nc",
  variables: "TrueTrueFalseTrueNone",
};

test.each(Object.entries(templates))("%s are Python's", (name, source) => {
  expect(new PythonTemplate(source).render(variables)).toBe(expected[name]);
});

const python = await pythonWith(["jinja2==3.1.6"]);
const isLeftOut = isLeftOutWithoutPython("templates compared with Jinja", python);
const program = `
import json, sys
from jinja2.sandbox import ImmutableSandboxedEnvironment
environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"])
given = json.loads(sys.argv[1])
print(json.dumps({name: environment.from_string(source).render(**given["variables"]) for name, source in given["templates"].items()}))`;

test.skipIf(isLeftOut)(
  "what is expected is what Jinja writes",
  async () => {
    const given = JSON.stringify({ variables, templates });
    expect(JSON.parse((await python?.run(program, given)) ?? "null")).toEqual(expected);
  },
  120_000,
);

test("a template's refusal is its own words", () => {
  const template = new PythonTemplate("{{ raise_exception('Only ' ~ 1 ~ ' call!') }}");
  expect(() => template.render({})).toThrow("Only 1 call!");
});

test("the date is in English, wherever the gateway is", () => {
  const template = new PythonTemplate("{{ strftime_now('%d %b %Y|%-d|%%') }}");
  expect(template.render({})).toMatch(/^[0-3]\d [A-Z][a-z]{2} \d{4}\|[1-9]\d?\|%$/);
});
