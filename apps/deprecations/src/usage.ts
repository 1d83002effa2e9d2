export const defaultOutput = "deprecations-feed";
export const defaultPort = 8080;

export const usage: string = `Usage: deprecations build [--out DIR] [--url URL] [--state DIR|URL|none] …
       deprecations serve [--out DIR] [--host HOST] [--port PORT] [--url URL]
       deprecations check [MODEL …] [--config FILE] [--source PATH] [--feed URL|FILE] …

Reads the providers' deprecation pages, publishes what they say as feeds, and checks models against it.

Commands
  build              read the pages once and write the files of the site
  serve              serve the files, and read the pages daily at 02:00 UTC
  check              say which models are deprecated, and when they end

Options of build and serve
  -o, --out DIR      the folder of the files (default: ${defaultOutput})
      --url URL      where they will be served (default: http://127.0.0.1:${defaultPort}/, or where serve listens)
      --page SLUG=URL  read a provider's page from there, say from a mirror; repeatable

Options of build
      --state DIR|URL  an earlier output or its address, which this run goes on from
                     (default: the folder of --out; without a feed in it, this is the first run);
                     none: this is the first run, whatever there is
      --accept SLUG  take a provider's page though it has far fewer models than last time; repeatable
      --json         what was done as JSON

Options of serve
      --host HOST    listen on this address (default: 127.0.0.1)
  -p, --port PORT    listen on this port (default: ${defaultPort}); 0: any free port

Options of check
  -f, --feed URL|FILE  the feed (default: ${defaultOutput}/v1/feed.json)
  -c, --config FILE  check the route keys and upstream models of a gateway's configuration; repeatable
  -s, --source PATH  search a source tree or a file for ids that the feed knows; repeatable
  -w, --within DAYS  a shutdown within so many days fails the check (default: 30)
      --provider NAME  only what this provider says; repeatable
      --format FORM  text, json, or github for annotations (default: text)
      --json         the same as --format json

  -h, --help         this text
  -v, --version      the version

Exit codes
  0 in order
  1 build: published, but a page could not be read; check: a model ends within --within days
  2 the command line or a configuration is wrong
  3 failed: what was published before is as it was
`;
