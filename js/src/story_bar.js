// The bar of a story: titles, questions, back and next. It sends the step to go to; the kernel, or the player
// of a recording, shows it. The text of a step stands in its explorer, and follows its numbers.

import { button, make, numberKey } from "./dom.js";
import { listen, post } from "./widget.js";
import { minutesFrom, neighbour, partAt, partsOf } from "./plan.js";

// Sizes of a text in per cent of the intended one: the least that is tried, and the least for a hall.
const SMALLEST = 55, READABLE = 80;
let stories = 0;

function render({ model, el }) {
  el.classList.add("rocviz", "rocviz-story-bar");
  const steps = () => model.get("_steps");
  const at = () => model.get("index");
  const step = () => steps()[at()];
  const asks = () => (model.get("is_asking") ? step().ask : null);
  const given = new Map(); // answers, by step
  const known = new Set(); // steps whose titles may be read
  const own = `story${(stories += 1)}`;
  /** @type {HTMLElement | null} */
  let root = null;
  let percent = 100; // size of the text

  const role = { role: "status" };
  const title = make("h2", "title", role), question = make("div", "question", role), verdict = make("div", "verdict", role);
  const choices = make("div", "choices"), needed = make("style");
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const send = (message) => post(model, { ...message, still: still() });
  const jump = (to) => {
    if (to < 0 || to >= steps().length) return;
    given.delete(to);
    send({ go: to });
  };
  let isShort = false; // a lecture without its optional steps
  let begun = 0; // when the clock was started
  const next = () => {
    begun ||= Date.now();
    if (asks()) send({ show: at() }); else jump(neighbour(steps(), at(), 1, isShort));
  };
  const back = () => {
    const to = neighbour(steps(), at(), -1, isShort);
    if (to >= 0) send({ show: to });
  };
  const answer = (i) => { given.set(at(), i); send({ show: at() }); };
  const again = () => { if (!asks()) send({ show: at() }); };
  const fill = () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else root?.requestFullscreen?.();
  };
  const explore = () => {
    const on = root?.classList.toggle("shows-all");
    all.setAttribute("aria-pressed", String(Boolean(on)));
    fit();
  };
  // A black screen, so that all look at the speaker.
  const unveil = () => { black.hidden = true; };
  const black = make("div", "black", { hidden: true, title: "Any key shows the picture again", onclick: unveil });

  const backward = button("◀ back", "Back (left arrow, Page Up)", back);
  const forward = button("next ▶", "Next (right arrow, space, Page Down)", next, "next");
  const here = button("this step again", "Put the picture back as this step shows it (Escape)", again, "again");
  const all = button("controls", "All controls of the explorer (c)", explore, "quiet");
  const full = button("full screen", "Fill the screen (f)", fill, "quiet for-halls");
  const go = () => {
    jump(place.selectedIndex);
    place.blur(); // the arrow keys lead through the story again
  };
  const place = make("select", "place", { title: "Go to a step", "aria-label": "step", onchange: go });
  const link = button("link", "A link to what is shown, and how to embed it", () => model.send({ link: true }), "quiet");
  const desk = button("notes", "Notes for the speaker, in a window of their own (s)", () => speak(), "quiet for-halls");
  link.hidden = !model.get("link");

  // Of a lecture: the part, a clock, and what to do when it is late.
  const skip = () => {
    const parts = partsOf(steps()), following = parts[partAt(parts, at()) + 1];
    begun ||= Date.now();
    if (parts.length && following) jump(following.first);
  };
  const shorten = () => {
    isShort = !isShort;
    shorter.setAttribute("aria-pressed", String(isShort));
    update();
  };
  const restart = () => { begun = Date.now(); tick(); };
  const part = make("span", "part");
  const clock = button("", "Start the clock again", restart, "quiet clock");
  const skipper = button("skip part", "Go to the next part (n)", skip);
  const shorter = button("shorten", "Leave out the steps that are not needed (l)", shorten, "", { ariaPressed: "false" });
  const plan = make("div", "plan", {}, part, clock, shorter, skipper);
  const timing = () => {
    const planned = Math.round(minutesFrom(steps(), 0, false)), gone = begun ? Math.floor((Date.now() - begun) / 60000) : 0;
    const end = Math.round(gone + minutesFrom(steps(), at(), isShort));
    return { planned, gone, end, isLate: end > planned + 1 };
  };
  const time = () => {
    const { planned, gone, end, isLate } = timing();
    return `${gone} of ${planned} min · ends at ${end}${isLate ? `, ${end - planned} min late` : ""}`;
  };
  const tick = () => {
    const parts = partsOf(steps()), index = partAt(parts, at());
    plan.hidden = index < 0;
    if (index >= 0) {
      const { title: name, minutes } = parts[index];
      part.textContent = `Part ${index + 1} of ${parts.length}`;
      part.title = `${name}, ${minutes} min`;
      clock.textContent = time();
      clock.classList.toggle("is-late", timing().isLate);
      skipper.disabled = index + 1 === parts.length;
    }
    remind();
  };

  const tools = make("div", "tools", {}, plan, backward, forward, here, place, all, desk, link, full);
  el.replaceChildren(title, question, verdict, choices, tools, needed, black);

  // A window for the speaker alone: the answer, notes, and the next step.
  /** @type {Window | null} */
  let window_ = null;
  const speak = () => {
    window_ = window.open("", "rocviz-notes", "popup,width=720,height=520");
    if (!window_) return; // the browser does not let a page open one
    begun ||= Date.now();
    window_.document.addEventListener("keydown", onKey, true);
    remind();
  };
  const remind = () => {
    if (!window_ || window_.closed) return;
    const ask = asks(), { body } = window_.document, following = steps()[neighbour(steps(), at(), 1, isShort)];
    const notes = make("div");
    notes.innerHTML = ask ? `${ask.text}<p>Answer: ${ask.choices[ask.answer]}</p>` : step().notes;
    window_.document.title = "Notes for the speaker";
    body.style.font = "20px/1.4 system-ui, sans-serif";
    body.replaceChildren(
      make("p", "", { textContent: `${at() + 1} of ${steps().length} · ${plan.hidden ? `${timing().gone} min` : `${part.textContent}: ${part.title} · ${time()}`}` }),
      make("h1", "", { textContent: step().title }), notes,
      make("p", "", { textContent: ask ? `Then: ${step().title}` : following ? `Next: ${following.ask ? "a question. " : ""}${following.title}` : "" }),
      make("p", "", { textContent: percent < READABLE ? `The text is too long for a hall: it is shown at ${percent}% of its size.` : "" }),
    );
  };
  const ticking = setInterval(tick, 20000);

  // Only the controls that a step needs are visible.
  const show = () => {
    const inside = `[data-story="${own}"]:not(.shows-all)`;
    const { needs, is_tall: isTall } = steps()[asks() && at() ? at() - 1 : at()];
    root?.classList.toggle("has-list", isTall);
    const those = needs.map((name) => `[data-control="${CSS.escape(name)}"]`);
    const others = those.map((one) => `:not(${one})`).join("");
    needed.textContent = `${inside} [data-control]${others}, ${inside} .fold-box:not(:has(${those.join(",") || "x"})) {`
      + " display: none !important; }";
  };

  // Shrink texts that do not fit, rather than cut them; one that is still too long scrolls.
  const isFull = () => root && getComputedStyle(root).overflowY !== "visible"
    && tools.getBoundingClientRect().bottom > root.getBoundingClientRect().bottom + 1;
  const fit = () => {
    if (!root) return;
    root.classList.remove("is-full");
    root.style.removeProperty("--rocviz-fit");
    for (percent = 100; percent > SMALLEST && isFull();) {
      percent -= 5;
      root.style.setProperty("--rocviz-fit", String(percent / 100));
    }
    root.classList.toggle("is-full", Boolean(isFull()));
    remind();
  };

  const judge = (ask, chosen) => {
    const right = chosen === ask.answer;
    const why = [...new Set([ask.why[chosen], ask.why[ask.answer]])].filter(Boolean).join(" ");
    verdict.innerHTML = right
      ? `<p><b>Yes: ${ask.choices[chosen]}.</b> ${why}</p>`
      : `<p>Not <s>${ask.choices[chosen]}</s>, but <b>${ask.choices[ask.answer]}</b>. ${why}</p>`;
  };

  const update = () => {
    const ask = asks(), { title: name, ask: asked } = step(), chosen = given.get(at());
    // while a question waits, the previous step is shown; about other data, before the first one, and where that step
    // was left out, only words
    const before = steps()[at() - 1], isUnseen = isShort && before?.optional;
    const kind = !ask ? step().kind : ask.hides || isUnseen ? "words" : before.kind;
    if (ask) given.delete(at());
    else known.add(at());
    title.textContent = name;
    title.hidden = Boolean(ask);
    question.innerHTML = ask ? ask.text : "";
    question.hidden = !ask;
    verdict.hidden = !(asked && !ask && chosen !== undefined);
    if (!verdict.hidden) judge(asked, chosen);
    const offered = ask ? ask.choices : [];
    choices.replaceChildren(...offered.map((choice, i) => button("", `Key ${i + 1}`, () => answer(i), "", { innerHTML: choice })));
    choices.hidden = !ask;
    const count = steps().length;
    place.replaceChildren(...steps().map((one, i) => make("option", "", {
      textContent: `${i + 1} of ${count}${i === at() ? "" : !one.ask || known.has(i) ? `: ${one.title}` : ": a question"}`,
    })));
    place.selectedIndex = at();
    backward.disabled = at() === 0;
    forward.disabled = !ask && neighbour(steps(), at(), 1, isShort) >= count;
    forward.textContent = ask ? "show ▶" : "next ▶";
    root?.classList.toggle("is-asking", Boolean(ask));
    root?.classList.toggle("is-words", kind === "words");
    root?.classList.toggle("is-picture", kind === "picture");
    show();
    tick();
    fit();
  };

  // A presenter's clicker sends Page Up and Page Down; these lead on wherever the focus is.
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = event.target, ask = asks();
    const clicker = event.key === "PageDown" || event.key === "PageUp";
    // typed text and the keys of a slider do not lead the story
    const busy = target.matches?.("input:not([type=range], [type=checkbox]), select, textarea, [contenteditable=true]")
      || (target.matches?.("input") && /^(Arrow|Home|End| )/.test(event.key));
    const acts = {
      ArrowRight: next, " ": next, PageDown: next, ArrowLeft: back, PageUp: back, Escape: again,
      Home: () => jump(0), End: () => jump(steps().length - 1),
      b: () => { black.hidden = false; }, ".": () => { black.hidden = false; }, f: fill, c: explore, s: speak,
      ...(plan.hidden ? {} : { n: skip, l: shorten }),
    };
    const number = numberKey(event.key);
    if (!black.hidden) acts[event.key] = unveil;
    else if ((busy && !clicker) || (event.key === " " && target.matches?.("button"))) return;
    else if (number >= 0 && !ask) acts[event.key] = () => send({ focus: number });
    else if (number >= 0 && number < ask.choices.length) acts[event.key] = () => answer(number);
    if (!acts[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
  };
  // In a notebook the keys are the notebook's, unless the story has the focus.
  /** @type {HTMLElement | Document | null} */
  let listens = null;
  // In a notebook the height of its pane is available, not that of the window.
  /** @type {HTMLElement | null} */
  let pane = null;
  const resized = new ResizeObserver(() => {
    if (pane) root?.style.setProperty("--rocviz-window", `${pane.clientHeight - 24}px`);
    fit();
  });
  const observer = new MutationObserver(() => { if (isFull()) fit(); });
  const attach = () => {
    root = el.closest(".rocviz-story");
    if (!root?.isConnected) { requestAnimationFrame(attach); return; }
    root.dataset.story = own;
    listens = document.querySelector(".jp-Notebook, .notebook") && !document.body.dataset.voila
      ? root : document;
    if (listens === root) {
      root.setAttribute("data-lm-suppress-shortcuts", "true");
      if (!root.hasAttribute("tabindex")) root.tabIndex = -1;
    }
    full.hidden = !document.fullscreenEnabled;
    listens.addEventListener("keydown", /** @type {EventListener} */ (onKey), true);
    pane = root.closest(".jp-WindowedPanel-outer");
    for (const one of [root, pane]) if (one) resized.observe(one);
    observer.observe(root, { subtree: true, childList: true, characterData: true });
    update();
  };
  attach();
  const changes = ["change:_steps", "change:index", "change:is_asking"];
  listen(model, changes, update);
  update();
  return () => {
    for (const event of changes) model.off(event, update);
    resized.disconnect();
    observer.disconnect();
    clearInterval(ticking);
    listens?.removeEventListener("keydown", /** @type {EventListener} */ (onKey), true);
  };
}

export default { render };
