// Reports of every kind, rendered by the command from variants of real results.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const command = process.env.CONCAUSE ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/concause");
if (!existsSync(command)) throw new Error(`${command} does not exist; run cargo test first or set CONCAUSE`);
const folder = mkdtempSync(join(tmpdir(), "concause-report-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
const concause = (...words) => execFileSync(command, words, { cwd: root, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] }).toString();

const mined = (example, target, ...more) => JSON.parse(concause("mine", `examples/${example}.csv`, "--target", target, ...more, "--format", "json"));
const fire = mined("fire", "fire", "--stability", "10", "--calibrate", "2", "--method", "mh-pc-f");

const changed = (change) => {
  const result = structuredClone(fire);
  change(result);
  return result;
};

const many = (result) => {
  const causes = result.causes;
  result.causes = Array.from({ length: 300 }, (_, number) => {
    const cause = structuredClone(causes[number % causes.length]);
    cause.columns = cause.columns.map((column) => `${column}_${number}`);
    cause.literals = cause.columns;
    cause.name = cause.columns.join("&");
    cause.statistic -= number / 10;
    return cause;
  });
  const listed = result.candidates.listed;
  result.candidates.listed = Array.from({ length: 100_000 }, (_, number) => {
    const candidate = structuredClone(listed[number % listed.length]);
    candidate.name += `_${number}`;
    candidate.sentence = `${candidate.name} ${candidate.sentence.split(" ").slice(1).join(" ")}`;
    return candidate;
  });
  result.levels[1].candidates = 200_000;
};

// The paper's data is not part of the project: as in tests/shared_data.rs.
const census = resolve(process.env.CONCAUSE_DATA ?? join(root, "../shared/data"), "uci/census-income.test.gz");
if (!existsSync(census)) {
  if (process.env.CI === "true") throw new Error(`${census} is absent, and CI=true requires it`);
  console.log(`skipped: the report on Census: ${census} is absent`);
}

const hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>&amp;'\"\u202e\n</style></svg>";
const results = {
  fire,
  gene: mined("gene", "disease"),
  credit: mined("credit", "bad", "--after", "called_up"),
  ...(existsSync(census) && {
    census: JSON.parse(concause("mine", census, "--no-header", "--target", "V42=50000+.", "--drop-continuous", "--method", "mh-pc-f", "--format", "json")),
  }),
  heldOut: mined("fire", "fire", "--holdout", "0.3", "--fdr", "bh"),
  none: changed((result) => { result.causes = []; }),
  one: changed((result) => { result.causes.length = 1; result.stability = null; result.calibration = null; }),
  many: changed(many),
  stopped: changed((result) => { result.complete = false; result.levels.length = 1; result.candidates = null; result.command = []; }),
  hostile: changed((result) => {
    result.target.name = result.target.value = hostile;
    result.data.sources = [hostile];
    result.notices = [hostile];
    result.command.push(hostile);
    for (const cause of result.causes) {
      cause.columns = cause.columns.map((column) => column + hostile);
      cause.literals = cause.columns;
      cause.name = cause.columns.join("&");
      cause.challenger.given = [hostile];
      cause.equivalent = [hostile];
    }
    for (const candidate of result.candidates.listed) {
      candidate.name += hostile;
      candidate.sentence = candidate.reason = candidate.name;
    }
  }),
};

/** The pages by name: the result, the file, its address and its size. */
export const pages = Object.fromEntries(Object.entries(results).map(([name, result]) => {
  const json = join(folder, `${name}.json`);
  const html = join(folder, `${name}.html`);
  writeFileSync(json, JSON.stringify(result));
  concause("report", json, "-o", html);
  return [name, { result, html, address: `file://${html}`, size: statSync(html).size }];
}));

/** The contents of a file. */
export const text = (file) => readFileSync(file, "utf8");
