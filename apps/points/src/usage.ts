export const usage: string = `Usage: points [serve] [--config FILE] [--host HOST] [--port PORT]
       points import FILE --config FILE [--format csv|jsonl] [--on-error refuse|skip] [--content] [--json]
       points snapshot --config FILE [--json]

Serves a points leaderboard, quests and prices of one network.

Commands
  serve              serve, and count the rankings anew as often as the program says; without --config
                     with a small data set that is made up, in a folder that is removed at the end
  import             store the events of a file; they are in the rankings from the next snapshot on
  snapshot           count the rankings anew, now

Options
  -c, --config FILE  YAML settings

Options of serve
      --host HOST    listen on this address instead of where the settings say
  -p, --port PORT    listen on this port instead; 0: any free port

Options of import
      --format FORM  csv or jsonl (default: csv where the file's name ends so, else jsonl)
      --on-error WHAT  refuse: one bad line, and nothing of the file is stored (default);
                     skip: the other lines are
      --content      the file is the whole content program, in place of what was known of it

Options of import and snapshot
      --json         what was done as JSON

  -h, --help         this text
  -v, --version      the version

Exit codes
  0 in order
  1 import: lines were refused
  2 the command line or the settings are wrong
  3 failed
`;
