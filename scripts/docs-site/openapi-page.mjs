// Makes a Markdown page from an OpenAPI document, with a heading for each operation.
import { parse } from "yaml";

const methods = ["get", "post", "put", "patch", "delete"];

/** @param {string} text the document, as YAML @param {string} name the name of the file beside the page */
export function openApiPage(text, name) {
  const document = parse(text);
  const { title, description = "" } = document.info;
  const lines = [
    `# ${title}: HTTP`,
    "",
    description,
    "",
    `[OpenAPI 3.1](/openapi/${name}.yaml){target="_self"}`,
    "",
  ];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods.filter((each) => each in item)) {
      const operation = item[method];
      lines.push(`## ${method.toUpperCase()} \`${path}\``, "", `${operation.summary}.`, "");
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) =>
        followed(document, each),
      );
      if (parameters.length > 0) {
        lines.push("| parameter | in | |", "| --- | --- | --- |");
        for (const parameter of parameters) lines.push(parameterRow(parameter));
        lines.push("");
      }
      const body = bodyOf(document, operation);
      if (body !== null) lines.push(`Body: \`${body.type}\``, "", schemaText(body.schema), "");
      lines.push("| status | |", "| --- | --- |");
      for (const [status, response] of Object.entries(operation.responses)) {
        const { description: what, content = {} } = followed(document, response);
        const types = Object.keys(content).map((type) => `\`${type}\``);
        lines.push(`| ${status} | ${cell(what)} ${types.join(", ")} |`);
      }
      lines.push("");
    }
  }
  return lines.join("\n");
}

const cell = (text) => String(text).replaceAll("|", "\\|").replaceAll("\n", " ");

function parameterRow({ name, in: place, required, description = "", schema = {} }) {
  const { type = "", enum: values, default: usual } = schema;
  const kind = values === undefined ? type : values.join(", ");
  const rest = [kind, required ? "required" : "", usual === undefined ? "" : `default ${usual}`];
  return `| \`${name}\` | ${place} | ${cell([...rest.filter(Boolean), description].join("; "))} |`;
}

function bodyOf(document, { requestBody }) {
  if (requestBody === undefined) return null;
  const [[type, { schema }] = []] = Object.entries(followed(document, requestBody).content);
  return { type, schema };
}

function schemaText({ properties = {}, required = [] }) {
  const members = Object.entries(properties).map(
    ([name, { type, enum: values }]) =>
      `\`${name}\` (${values?.join(", ") ?? type}${required.includes(name) ? ", required" : ""})`,
  );
  return members.join(", ");
}

function followed(document, value) {
  if (value.$ref === undefined) return value;
  return value.$ref
    .slice(2)
    .split("/")
    .reduce((inner, name) => inner[name], document);
}
