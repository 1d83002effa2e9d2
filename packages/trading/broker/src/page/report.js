import { inLocalTime } from "./chart-options.js";
import { showTerms } from "./figures.js";
import { AreaSeries, createChart } from "./lightweight-charts.js";
import { say } from "./sender.js";
import { money } from "./words.js";

const percent = (share) => (share === null ? "–" : `${(share * 100).toFixed(2)} %`);
const seconds = (time) => Date.parse(time) / 1000;
const orNone = (value, text) => (value === null ? "–" : text(value));

/** Between two readings: bots may close trades many times a second. */
const restMs = 10_000;

/** An account's report, kept current and saved as a file. */
export class Report {
  #place;
  #read;
  #now;
  #chart;
  #curve;
  #account = "";
  #state = "";
  #timer = null;
  #readAt = Number.NEGATIVE_INFINITY;

  /**
   * @param read `(query)` returns a response; throws an Error with a message for the user
   * @param now returns the market's time in milliseconds
   */
  constructor(place, read, now) {
    this.#place = place;
    this.#read = read;
    this.#now = now;
    for (const button of place.querySelectorAll("button"))
      button.addEventListener("click", async () => {
        button.disabled = true;
        await this.#save(button.dataset).catch(({ message }) => say(message));
        button.disabled = false;
      });
  }

  /**
   * Shows the account's report, and reads it again when its state is another one: at once for another account, else
   * after a rest.
   */
  follow(account, state) {
    if (account === this.#account && state === this.#state) return;
    const rest = account === this.#account ? this.#readAt + restMs - performance.now() : 0;
    this.#account = account;
    this.#state = state;
    if (rest <= 0) this.#show();
    else this.#timer ??= setTimeout(() => this.#show(), rest);
  }

  async #show() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#readAt = performance.now();
    const account_id = this.#account;
    const ask = async (part) => (await this.#read({ account_id, part })).json();
    // What cannot be read now is read with the next state.
    const parts = await Promise.all(["summary", "equity"].map(ask)).catch(() => null);
    if (parts === null || account_id !== this.#account) return;
    const [{ summary }, { equity }] = parts;
    const figures = this.#place.querySelector(".figures");
    figures.hidden = false;
    showTerms(figures, {
      "Net profit": money(summary.net_profit),
      Return: percent(summary.return),
      "Max drawdown": `${money(summary.max_drawdown)} (${percent(summary.max_drawdown_share)})`,
      "Profit factor": orNone(summary.profit_factor, (factor) => factor.toFixed(2)),
      Currency: summary.currency,
      Trades: String(summary.trades),
      "Win rate": percent(summary.win_rate),
      "Average win": orNone(summary.average_win, money),
      "Average loss": orNone(summary.average_loss, money),
      Expectancy: orNone(summary.expectancy, money),
      Sharpe: orNone(summary.sharpe, (ratio) => ratio.toFixed(2)),
      Sortino: orNone(summary.sortino, (ratio) => ratio.toFixed(2)),
      Exposure: percent(summary.exposure),
      Swap: money(summary.swap),
      Commission: money(summary.commission),
    });
    const canvas = this.#place.querySelector(".canvas");
    canvas.hidden = equity.length === 0;
    const points = equity.map(({ time, equity: value }) => ({ time: seconds(time), value }));
    // The stored points are minutes apart; the curve ends with what the account is worth now.
    const now = Math.floor(this.#now() / 1000);
    if (now > (points.at(-1)?.time ?? 0)) points.push({ time: now, value: summary.equity });
    this.#chart ??= createChart(canvas, inLocalTime(canvas));
    this.#curve ??= this.#chart.addSeries(AreaSeries, { lineWidth: 2 });
    this.#curve.setData(points);
    this.#chart.timeScale().fitContent();
    canvas.dataset.points = points.length;
  }

  async #save({ part, format }) {
    const account_id = this.#account;
    const response = await this.#read({ account_id, format, ...(part === "" ? {} : { part }) });
    const leftOut = response.headers.get("x-left-out");
    if (leftOut !== null) say(`The report lacks the oldest rows of long lists: ${leftOut}.`);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = `${part === "" ? "report" : part}.${format}`;
    link.click();
    URL.revokeObjectURL(link.href);
  }
}
