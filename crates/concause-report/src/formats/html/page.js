// Sorting, searching, saving pictures and copying. Without the script the page lacks only the list of candidates.
"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const element = (tag, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  // A click on a heading sorts by its column; a second click reverses the order. Rows without a number come last.
  const key = (row, column) => {
    const cell = row.cells[column];
    const number = cell.dataset.order ?? cell.dataset.value;
    return number === undefined ? (cell.classList.contains("number") ? null : cell.textContent) : Number(number);
  };
  const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true }));
  for (const table of all("table[data-sortable]")) {
    all("thead th", table).forEach((heading, column) => {
      const button = element("button", { type: "button", className: "sort" }, ...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const direction = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
        const rows = [...table.tBodies[0].rows].map((row) => ({ row, key: key(row, column) }));
        rows.sort((a, b) => (a.key === null) - (b.key === null) || (a.key === null ? 0 : direction * compare(a.key, b.key)));
        table.tBodies[0].append(...rows.map((it) => it.row));
        hideRows();
      });
    });
  }

  // A long table shows its first rows until the reader requests all.
  const showAll = document.querySelector(".show-all");
  const hideRows = () => {
    if (!showAll) return;
    const visible = showAll.getAttribute("aria-expanded") === "true" ? Infinity : Number(showAll.dataset.visible);
    all("table.causes tbody tr").forEach((row, place) => { row.hidden = place >= visible; });
  };
  if (showAll) {
    const words = showAll.textContent;
    showAll.hidden = false;
    showAll.addEventListener("click", () => {
      const open = showAll.getAttribute("aria-expanded") !== "true";
      showAll.setAttribute("aria-expanded", String(open));
      showAll.textContent = open ? `Show the first ${showAll.dataset.visible}` : words;
      hideRows();
    });
    hideRows();
  }

  // A link to a finding opens the section that contains it.
  const reveal = () => {
    const finding = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = finding && finding.closest("details:not([open])");
    if (folded) {
      folded.open = true;
      finding.scrollIntoView();
    }
  };
  addEventListener("hashchange", reveal);
  reveal();

  // The candidates whose names contain all words of the query.
  const data = document.getElementById("candidates-data");
  if (data) {
    const candidates = JSON.parse(data.textContent).map(([name, strength, reason, sentence, place]) => ({
      name, strength, reason, sentence, place, folded: name.toLowerCase(),
    }));
    const [query, reason, list, matches, more, explain] =
      ["query", "reason", "candidates", "matches", "more", "explain"].map((id) => document.getElementById(id));
    const form = query.form;
    const step = 10;
    let shown = step;
    const entry = (candidate) => {
      const item = element("li");
      const name = element("bdi", { className: "name", textContent: candidate.name });
      if (candidate.place <= 0) {
        item.append(...(candidate.place < 0 ? [name, candidate.sentence] : [candidate.sentence]), ".");
      } else {
        item.append(name, candidate.sentence, ": ", element("a", { href: `#finding-${candidate.place}` }, "see the finding"), ".");
      }
      if (candidate.strength) item.append(" ", element("span", { className: "strength" }, `${matches.dataset.statistic} ${candidate.strength}`));
      return item;
    };
    const search = () => {
      const words = query.value.toLowerCase().split(/[\s&]+/).filter(Boolean);
      const found = candidates.filter((it) =>
        (!reason.value || it.reason === reason.value) && words.every((word) => it.folded.includes(word)));
      list.replaceChildren(...found.slice(0, shown).map(entry));
      more.hidden = found.length <= shown;
      const total = candidates.length.toLocaleString("en");
      matches.textContent = words.length || reason.value
        ? `${found.length.toLocaleString("en")} of ${total} listed candidates match.`
        : `${total} candidates are listed, causes first.`;
      explain.hidden = found.length > 0 || !words.length || !explain.dataset.command;
      if (!explain.hidden) {
        const name = `'${query.value.trim().replaceAll("'", "'\\''")}'`;
        explain.replaceChildren("Not in this list. Run ", element("code", {}, `${explain.dataset.command} ${name}`));
      }
    };
    const restart = () => { shown = step; search(); };
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    query.addEventListener("input", restart);
    reason.addEventListener("change", restart);
    more.addEventListener("click", () => { shown += 10 * step; search(); });
    search();
  }

  // A saved picture is a file of its own. The light colours are written out because other programs do not know variables.
  const styleProperties = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "paint-order", "font-family", "font-size", "font-weight"];
  const standalone = (picture) => {
    const root = document.documentElement;
    root.dataset.saving = "";
    const box = picture.getBoundingClientRect();
    const copy = picture.cloneNode(true);
    const copies = [copy, ...all("*", copy)];
    [picture, ...all("*", picture)].forEach((source, place) => {
      const style = getComputedStyle(source);
      for (const property of styleProperties) copies[place].setAttribute(property, style.getPropertyValue(property));
      copies[place].removeAttribute("class");
    });
    delete root.dataset.saving;
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", String(Math.round(box.width)));
    return new XMLSerializer().serializeToString(copy);
  };
  for (const button of all("button[data-save]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const picture = document.querySelector(`#${button.dataset.save} svg`);
      const address = URL.createObjectURL(new Blob([standalone(picture)], { type: "image/svg+xml" }));
      element("a", { href: address, download: `${button.dataset.save}.svg` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    });
  }

  // Copies the command, or selects it if the page has no access to the clipboard.
  for (const button of all("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(source.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(source);
        button.textContent = "Selected";
      }
    });
  }

  // A printed page always includes the settings and the counts of reasons.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("section > details.figures:not([open])");
    opened.forEach((it) => { it.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((it) => { it.open = false; }));
})();
