// The report in a browser: light and dark, wide and narrow, with mouse and keyboard, and printed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { pages, text } from "./pages.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const wide = { width: 1100, height: 900 };
const phone = { width: 375, height: 800 };

// Milliseconds after which the browser is taken to hang. No test fails because the machine is slow or busy.
const timeout = 30 * 60 * 1000;

let browser;
before(async () => { browser = await chromium.launch({ executablePath, args, timeout }); });
after(async () => { await browser?.close(); });

/** Opens a page and acts on it. Fails if the page logs anything, opens a dialog or requests anything but itself. */
async function open(name, options, act) {
  const context = await browser.newContext({ viewport: wide, ...options });
  context.setDefaultTimeout(timeout);
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("dialog", (dialog) => { problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => {
    if (request.url() !== pages[name].address && !request.url().startsWith("blob:")) problems.push(`request: ${request.url()}`);
  });
  await page.goto(pages[name].address);
  await act(page);
  assert.deepEqual(problems, []);
  await context.close();
}

const texts = (page, selector) => page.locator(selector).allTextContents();
const names = (page) => texts(page, "table.causes tbody tr:visible th");
const spaced = (cause) => cause.literals.join(" & ");

describe("every report", () => {
  for (const name of Object.keys(pages)) {
    test(`${name}: is small and fits every screen and colour scheme`, async () => {
      assert.ok(pages[name].size < 2_000_000, `${pages[name].size} bytes`);
      for (const viewport of [wide, phone]) {
        for (const colorScheme of ["light", "dark"]) {
          await open(name, { viewport, colorScheme }, async (page) => {
            const width = await page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(width <= viewport.width, `${width} pixels wide`);
          });
        }
      }
    });

    test(`${name}: is accessible`, async () => {
      for (const colorScheme of ["light", "dark"]) {
        await open(name, { colorScheme, viewport: colorScheme === "dark" ? phone : wide }, async (page) => {
          await page.evaluate(axe);
          const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
          const violations = found.violations.map((it) => `${it.id}: ${it.help}: ${it.nodes[0].html.slice(0, 200)} ${it.nodes[0].failureSummary}`);
          assert.deepEqual(violations, []);
        });
      }
    });
  }

  test("a page without JavaScript lacks only the list of candidates", async () => {
    await open("fire", { javaScriptEnabled: false }, async (page) => {
      assert.match(await page.locator("#findings").textContent(), /burning_stub and dry_brush both hold/);
      assert.equal(await page.locator("button:visible").count(), 0);
      assert.match(await page.locator("noscript").textContent(), /requires JavaScript/);
    });
  });
});

describe("contents", () => {
  for (const name of ["fire", "gene", "credit", "census", "one", "many"].filter((name) => name in pages)) {
    test(`${name}: the numbers are those of the result`, async () => {
      const { causes } = pages[name].result;
      await open(name, {}, async (page) => {
        const rows = await page.locator("table.causes tbody tr").evaluateAll((rows) => rows.map((row) =>
          [...row.cells].map((cell) => ({ ...cell.dataset, shown: cell.textContent }))));
        assert.equal(rows.length, causes.length);
        rows.forEach((cells, number) => {
          const cause = causes[number];
          const effects = [cause.evidence.risk_ratio, cause.evidence.adjusted.risk_ratio];
          const exact = [cause.level, cause.statistic, cause.probability ?? cause.p_value, cause.risk_with, cause.risk_without, ...effects.map((it) => it.value)];
          assert.deepEqual(cells.slice(1, 8).map((cell) => cell.value === undefined ? null : Number(cell.value)), exact);
          effects.forEach((it, place) => assert.equal(cells[6 + place].interval, it.low === null ? undefined : `${it.low} ${it.high}`));
          // The cell shows the number rounded.
          assert.equal(cells[0].shown, spaced(cause));
          assert.match(cells[4].shown, /^\d+\.\d+\u00a0%$/);
          assert.ok(Math.abs(Number.parseFloat(cells[4].shown) - 100 * cause.risk_with) < 0.0501, cells[4].shown);
          const ratio = Number(cells[7].shown.split(" ")[0].replaceAll(",", ""));
          assert.ok(effects[1].value === null || Math.abs(ratio / effects[1].value - 1) < 0.006, cells[7].shown);
        });
      });
    });
  }

  test("findings are described with the risks of the parts", async () => {
    const cause = pages.fire.result.causes.find((it) => it.level === 2);
    const [neither, first, second, both] = cause.evidence.interaction.cells.map((cell) => `${(100 * cell.risk.value).toFixed(1)}\u00a0%`);
    await open("fire", {}, async (page) => {
      const [a, b] = cause.literals;
      const words = await page.locator(".finding .sentence").last().textContent();
      assert.ok(words.startsWith(`When ${a} and ${b} both hold, the risk of fire is ${both}, compared with ${first} with ${a} alone, ${second} with ${b} alone and ${neither} with neither.`), words);
      const drawn = await texts(page, ".finding:last-of-type svg text.figure");
      assert.deepEqual(drawn.map((it) => it.split(" of")[0]), [neither, first, second, both]);
    });
  });

  test("names are text", async () => {
    await open("hostile", {}, async (page) => {
      assert.equal(await page.locator("script").count(), 2);
      assert.equal(await page.locator("img").count(), 0);
      assert.ok((await page.locator("h1").textContent()).includes("<script>alert(1)</script>"));
      assert.ok((await page.locator("#candidates li").last().textContent()).includes("<img src=x onerror=alert(2)>"));
    });
  });

  test("results without causes and stopped searches are labelled", async () => {
    await open("none", {}, async (page) => assert.match(await page.locator("#findings").textContent(), /No cause of fire was found/));
    await open("stopped", {}, async (page) => assert.match(await page.locator(".warning").textContent(), /stopped early/));
  });

  test("omitted items are mentioned", async () => {
    await open("many", {}, async (page) => {
      assert.match(await page.locator("#why-not").textContent(), /listed in the JSON result but omitted here/);
      assert.match(await page.locator("#forest figcaption").textContent(), /first 40 of 300/);
    });
  });
});

describe("behaviour", () => {
  test("the table is sorted by mouse and by keyboard", async () => {
    const { causes } = pages.fire.result;
    const sorted = (key) => [...causes].sort((a, b) => key(a) - key(b)).map(spaced);
    await open("fire", {}, async (page) => {
      const heading = (text) => page.locator("table.causes th", { hasText: text }).getByRole("button");
      await heading("risk with").first().click();
      assert.deepEqual(await names(page), sorted((it) => it.risk_with));
      assert.equal(await page.locator("th[aria-sort=ascending]").count(), 1);
      await heading("G²").focus();
      await page.keyboard.press("Enter");
      assert.deepEqual(await names(page), sorted((it) => it.statistic));
      await page.keyboard.press("Enter");
      assert.deepEqual(await names(page), sorted((it) => it.statistic).reverse());
      assert.equal(await page.locator("th[aria-sort]").getAttribute("aria-sort"), "descending");
    });
  });

  test("a long table shows its first rows until all are requested, also when sorted", async () => {
    await open("many", {}, async (page) => {
      assert.equal((await names(page)).length, 25);
      await page.locator("table.causes th", { hasText: "G²" }).getByRole("button").click();
      assert.equal((await names(page)).length, 25);
      await page.getByRole("button", { name: "Show all 300" }).click();
      assert.equal((await names(page)).length, 300);
      await page.getByRole("button", { name: "Show the first 25" }).click();
      assert.equal((await names(page)).length, 25);
    });
  });

  test("a candidate's reason is found by its name", async () => {
    const { listed } = pages.fire.result.candidates;
    await open("fire", {}, async (page) => {
      const query = page.getByRole("searchbox");
      await query.fill("wind & stub");
      const pair = listed.find((it) => it.name === "burning_stub&wind");
      const [only] = await texts(page, "#candidates li");
      assert.ok(only.startsWith(`${pair.sentence}.`), only);
      assert.match(await page.getByRole("status").textContent(), /^1 of \d+ listed candidates match/);
      await query.fill("LIGHTNING");
      await page.getByLabel("Reason").selectOption("separated");
      assert.equal(await page.locator("#candidates li").count(), 0);
      await page.getByLabel("Reason").selectOption("redundant");
      const expected = listed.filter((it) => it.reason === "redundant" && it.name.includes("lightning"));
      assert.equal(await page.locator("#candidates li").count(), expected.length);
      await page.getByLabel("Reason").selectOption("");
      await query.fill("no such column");
      assert.equal(await page.locator("#explain code").textContent(), "concause explain examples/fire.csv --target fire --method mh-pc-f --x 'no such column'");
    });
  });

  test("a hundred thousand candidates are searched", async () => {
    await open("many", {}, async (page) => {
      await page.getByRole("searchbox").fill("moon");
      assert.match(await page.getByRole("status").textContent(), /listed candidates match/);
      await page.getByRole("button", { name: "Show more" }).click();
      assert.equal(await page.locator("#candidates li").count(), 110);
    });
  });

  test("a link opens the finding it points to", async () => {
    await open("many", {}, async (page) => {
      const folded = page.locator("#findings details.more .finding").first();
      const id = await folded.getAttribute("id");
      assert.equal(await folded.isVisible(), false);
      await page.getByRole("button", { name: "Show all 300" }).click();
      await page.locator(`table.causes a[href="#${id}"]`).click();
      await folded.waitFor({ state: "visible" });
    });
  });

  test("every picture can be saved as a file in light colours", async () => {
    await open("fire", { colorScheme: "dark" }, async (page) => {
      const buttons = await page.locator("button[data-save]").all();
      assert.equal(buttons.length, 3 + pages.fire.result.causes.length);
      for (const button of buttons) {
        const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
        assert.equal(download.suggestedFilename(), `${await button.getAttribute("data-save")}.svg`);
        const svg = text(await download.path());
        assert.doesNotMatch(svg, /var\(|class=/);
        const root = await page.evaluate((svg) => new DOMParser().parseFromString(svg, "image/svg+xml").documentElement.nodeName, svg);
        assert.equal(root, "svg");
        assert.match(svg, /fill="rgb\(28, 36, 48\)"/);
      }
    });
  });

  test("the command can be copied", async () => {
    await open("fire", { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
      await page.getByRole("button", { name: "Copy" }).click();
      await page.getByRole("button", { name: /Copied|Selected/ }).waitFor();
      const copied = await page.evaluate(async () => getSelection().toString() || navigator.clipboard.readText());
      assert.equal(copied, "concause mine examples/fire.csv --target fire --method mh-pc-f --stability 10 --calibrate 2");
    });
  });

  test("the keyboard reaches everything, starting with a skip link", async () => {
    await open("fire", {}, async (page) => {
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the findings");
      const reached = new Set();
      for (let presses = 0; presses < 120; presses += 1) {
        await page.keyboard.press("Tab");
        reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.tagName));
      }
      for (const control of ["sort", "save", "query", "reason", "scroll", "SUMMARY"]) assert.ok(reached.has(control), `${control}: ${[...reached]}`);
    });
  });

  test("the printed page has the findings and no controls", async () => {
    await open("fire", { colorScheme: "dark" }, async (page) => {
      const pdf = await page.pdf({ format: "A4" });
      assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
      const printedPages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
      assert.ok(printedPages >= 3 && printedPages <= 8, `${printedPages} pages`);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      assert.equal(await page.locator("nav, button, form").filter({ visible: true }).count(), 0);
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    });
  });
});
