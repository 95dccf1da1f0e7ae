// The controls of a rail, made of the browser's own inputs. They show only what the kernel sends.

import { button, make } from "./dom.js";

/**
 * Sends the actions on one control, and tells whether an answer is still to come.
 * @typedef {{ send: (content: object, part?: string) => void, isBusy: () => boolean, isAsked: () => boolean, steer: (isSteered: boolean) => void }} Hand
 */

// Names what a hand does from putting it down until it lets go, all of which is one step to be undone.
const newPress = () => Date.now();

/**
 * By the kind of a control, a function that makes its element and a function that shows a value in it.
 * @type {Record<string, (control: any, hand: Hand) => [HTMLElement, (value: any) => void]>}
 */
export const makers = {
  slider(control, hand) {
    const box = make("div", "rocviz-slider " + `knob-${control.role}`);
    const label = make("span", "label", { textContent: control.label, title: control.hint });
    const typed = make("input", "value", {
      type: "text", "aria-label": `${control.label}: type a value`, spellcheck: false,
    });
    const track = make("input", "track", { type: "range", min: 0, step: 1, "aria-label": control.label });
    const problem = make("div", "problem", { role: "alert" });
    box.append(make("div", "line", {}, label, typed), track, problem);
    /** @type {any} */
    let last = null;
    let isDragged = false, playing = null, press = 0;
    const send = () => {
      const content = { position: Number(track.value) };
      hand.send(press ? { ...content, press } : content);
    };
    const release = () => {
      if (isDragged) hand.steer(false);
      isDragged = false;
      press = 0;
      if (last) update(last);
    };
    track.addEventListener("pointerdown", () => { isDragged = true; press = newPress(); hand.steer(true); });
    for (const event of ["pointerup", "pointercancel", "blur"]) track.addEventListener(event, release);
    track.addEventListener("input", send);
    typed.addEventListener("focus", () => typed.select());
    typed.addEventListener("keydown", (event) => {
      if (event.key === "Enter") typed.blur();
      if (event.key === "Escape") { typed.value = last.text; typed.blur(); }
    });
    typed.addEventListener("change", () => {
      if (typed.value !== last.text) hand.send({ typed: typed.value });
    });
    if (control.play) {
      const stop = () => { clearInterval(playing); playing = null; play.textContent = `▶ ${control.play}`; };
      const play = button(`▶ ${control.play}`, "", () => {
        if (playing) { stop(); return; }
        if (Number(track.value) >= Number(track.max)) track.value = 0;
        play.textContent = "❚❚ stop";
        playing = setInterval(() => {
          if (!box.isConnected || Number(track.value) >= Number(track.max)) { stop(); return; }
          if (hand.isBusy()) return;
          track.value = Number(track.value) + 1;
          send();
        }, 90);
      }, "chip play");
      box.append(play);
    }
    const update = (value) => {
      last = value;
      track.max = value.steps;
      if (!isDragged && !hand.isAsked()) track.value = value.position;
      track.style.setProperty("--at", value.steps ? track.value / value.steps : 0);
      track.setAttribute("aria-valuetext", value.text);
      if (document.activeElement !== typed || typed.value === "") typed.value = value.text;
      typed.style.width = `${Math.max(value.text.length, 3) + 1}ch`;
      track.disabled = typed.disabled = value.disabled;
      problem.textContent = value.problem || "";
    };
    return [box, update];
  },
  choice(control, hand) {
    const select = make("select", "", { title: control.hint, "aria-label": control.label });
    const problem = make("div", "problem", { role: "alert" });
    const label = make("span", "label", { title: control.hint }, control.label);
    let shown = "";
    // not on "change", before which the browser lays the page out
    select.addEventListener("input", () => hand.send({ index: select.selectedIndex }));
    return [make("label", "rocviz-choice", {}, label, select, problem), (value) => {
      const wanted = JSON.stringify(value.options);
      if (wanted !== shown) {
        shown = wanted;
        select.replaceChildren(...value.options.map((text) => make("option", "", { textContent: text })));
      }
      select.selectedIndex = value.index;
      select.disabled = value.disabled;
      problem.textContent = value.problem;
    }];
  },
  switch(control, hand) {
    const tick = make("input", "", { type: "checkbox", onchange: () => hand.send({ on: tick.checked }) });
    const box = make("label", "rocviz-switch", { title: control.hint }, tick, make("span", "label", {}, control.label));
    return [box, (value) => { tick.checked = value.on; tick.disabled = value.disabled; }];
  },
  entry(control, hand) {
    const field = make("input", "", {
      type: "text", "aria-label": control.label, title: control.hint, spellcheck: false,
    });
    const note = make("div", "note", { role: "status" });
    const box = make("div", "rocviz-entry", {}, make("span", "label", {}, control.label), field, note);
    let last = "";
    const done = () => { if (field.value !== last) hand.send({ typed: field.value }); };
    field.addEventListener("change", done);
    field.addEventListener("keydown", (event) => { if (event.key === "Escape") field.value = last; });
    return [box, (value) => {
      // a refused text stays, to be corrected, with a note on the value in use
      if (value.text !== last || !(value.problem || document.activeElement === field)) field.value = last = value.text;
      field.disabled = value.disabled;
      note.textContent = value.problem || value.note;
      note.classList.toggle("problem", Boolean(value.problem));
    }];
  },
  action(control, hand) {
    const press = button(control.label, control.hint, () => hand.send({}), "chip");
    return [press, (value) => { press.disabled = value.disabled; }];
  },
  task(control, hand) {
    const press = button(control.label, control.hint, () => hand.send({}), "chip");
    const bar = make("progress", "", { max: 1, "aria-label": control.label });
    return [make("div", "rocviz-task", {}, press, bar), (value) => {
      press.textContent = value.running ? "stop" : control.label;
      press.disabled = value.disabled;
      bar.hidden = !value.running;
      bar.value = value.share;
    }];
  },
  rows(control, hand) {
    const box = make("div", `rocviz-rows${control.cards ? " cards" : ""}`, { role: "group", "aria-label": control.label });
    const choose = (key, value, press = 0) => hand.send(press ? { key, value, press } : { key, value }, key);
    let lines = [];
    const titles = (control.heading || []).map((text) => make("span", "", {}, text));
    const heading = titles.length ? [make("div", "line heading", {}, ...titles)] : [];
    const makeLine = (row) => {
      const name = make("span", "name"), head = make("div", "line", {}, name), second = make("div", "line second");
      const outer = make("div", "row", {}, head, second);
      const parts = [];
      const pressed = [];
      // a single choice of all rows is a box to tick
      const ticked = control.tick || (control.choices.length === 1 ? control.choices[0][2] : "");
      const choices = row.choices || (control.choices.length > 1 ? control.choices : []);
      if (ticked) {
        const tick = make("input", "", { type: "checkbox" });
        tick.addEventListener("change", () => choose(row.key, tick.checked));
        head.prepend(tick);
        parts.push((now) => { tick.checked = control.tick ? now.ticked : now.value; tick.setAttribute("aria-label", `${now.full}: ${ticked}`); });
      }
      if (choices.length) {
        const group = make("span", "segments");
        for (const [value, text, spoken] of choices) {
          const press = button(text, "", () => choose(row.key, value));
          group.append(press);
          pressed.push([press, value, spoken]);
        }
        (control.cards ? second : head).append(group);
      }
      if (control.sorted) {
        const grip = button("⠿", control.sorted, () => {}, "grip");
        grip.addEventListener("pointerdown", (event) => drag(event, outer, row.key));
        grip.addEventListener("keydown", (event) => {
          const way = { ArrowUp: "up", ArrowDown: "down" }[event.key];
          if (!way) return;
          event.preventDefault();
          choose(row.key, way);
        });
        head.prepend(grip);
        parts.push((now) => grip.setAttribute("aria-label", `${now.full}: ${control.sorted}`));
      }
      for (const [value, text, spoken] of control.buttons) {
        const press = button(text, spoken, () => choose(row.key, value), "small");
        (control.two ? second : head).append(press);
        parts.push((now) => press.setAttribute("aria-label", `${spoken}: ${now.full}`));
      }
      let number = null;
      if (row.number) {
        // no field of type number: where decimals have a point that drops the comma of 0,3 without a word
        number = make("input", "number", { type: "text", inputMode: "decimal", spellcheck: false });
        number.addEventListener("change", () => choose(row.key, number.value));
        number.addEventListener("keydown", (event) => {
          if (event.key === "Enter") number.blur();
          const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
          if (!way) return;
          event.preventDefault();
          number.value = Number(number.value) + way * number.step;
          choose(row.key, number.value);
        });
        head.append(number);
      }
      const range = make("i"), point = make("b"), text = make("span", "text"), note = make("div", "note");
      const bar = make("span", "bar", { "aria-hidden": "true" }, range, point);
      if (control.cards) second.append(bar);
      else second.prepend(bar);
      outer.append(note);
      return [outer, (now) => {
        name.textContent = now.label;
        name.title = now.full;
        outer.className = `row role-${now.role}${now.marked ? " marked" : ""}${now.muted ? " muted" : ""}${outer === dragged ? " dragged" : ""}`;
        pressed.forEach(([press, value, spoken], i) => {
          if (now.choices) {
            spoken = now.choices[i][2];
            if (press.textContent !== now.choices[i][1]) press.textContent = press.title = now.choices[i][1];
          }
          press.setAttribute("aria-pressed", String(value === now.value));
          press.setAttribute("aria-label", `${now.full}: ${spoken}`);
        });
        parts.forEach((part) => part(now));
        if (number && now.number) {
          number.step = now.number[1];
          number.setAttribute("aria-label", `${now.full}: ${now.number[2]}`);
          if (document.activeElement !== number || now.isRefused) number.value = now.number[0];
        }
        bar.hidden = !now.bar;
        if (now.bar) {
          range.style.left = `${100 * now.bar[0]}%`;
          range.style.width = `${100 * (now.bar[1] - now.bar[0])}%`;
          point.style.left = `${100 * now.bar[2]}%`;
        }
        text.textContent = now.text;
        const place = now.bar || control.two || control.cards ? second : head;
        if (text.parentNode !== place) {
          if (place === head) name.after(text);
          else if (now.bar || control.cards) place.append(text);
          else place.prepend(text);
        }
        second.hidden = !now.bar && !control.two && !control.cards;
        note.textContent = now.note;
        note.hidden = !now.note;
      }, Boolean(row.number)];
    };
    // A card that is dragged by its grip changes places with each neighbour that the hand has passed.
    /** @type {HTMLElement | null} */
    let dragged = null;
    let pursue = () => {}; // what goes on once an answer has come: a hand may be faster than the kernel
    function drag(event, card, key) {
      if (event.button > 0) return;
      event.preventDefault();
      event.target.focus({ preventScroll: true });
      dragged = card;
      card.classList.add("dragged");
      const press = newPress();
      let asked = -1, { clientY } = event, isDown = true;
      const end = () => {
        if (dragged === card) dragged = null;
        card.classList.remove("dragged");
        pursue = () => {};
      };
      const follow = () => {
        const at = keys.indexOf(key);
        if (at >= 0 && asked === at && hand.isBusy()) return; // its last step is still under way
        const middle = (i) => {
          const seen = lines[i]?.[0].getBoundingClientRect();
          return seen ? seen.top + seen.height / 2 : NaN;
        };
        const way = clientY < middle(at - 1) ? "up" : clientY > middle(at + 1) ? "down" : "";
        if (at >= 0 && asked !== at && way) {
          asked = at;
          choose(key, way, press);
        } else if (!isDown) end();
      };
      const moved = (event) => {
        ({ clientY } = event);
        asked = hand.isBusy() ? asked : -1;
        follow();
      };
      const done = () => {
        isDown = false;
        document.removeEventListener("pointermove", moved);
        for (const name of ["pointerup", "pointercancel"]) document.removeEventListener(name, done);
        follow();
      };
      pursue = follow;
      document.addEventListener("pointermove", moved);
      for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, done);
    }
    // Cards glide from where they were, unless motion is unwanted.
    const glide = (before) => {
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      for (const [element, top] of before) {
        const way = element.isConnected ? top - element.offsetTop : 0;
        if (way) element.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], { duration: 180, easing: "ease-out" });
      }
    };
    let form = "", turn = -1, keys = [];
    // scroll the list, but not the page, to the row that is due
    const bring = () => {
      if (turn < 0 || !lines[turn]) return;
      const seen = box.getBoundingClientRect(), row = lines[turn][0].getBoundingClientRect();
      if (row.top < seen.top) box.scrollTop += row.top - seen.top;
      if (row.bottom > seen.bottom) box.scrollTop += row.bottom - seen.bottom + row.height;
    };
    new ResizeObserver(bring).observe(box);
    const hint = make("div", "note");
    const problem = make("div", "problem", { role: "alert" });
    return [box, (value) => {
      problem.textContent = value.problem;
      hint.textContent = value.note;
      hint.hidden = !value.note;
      const wanted = JSON.stringify(value.rows.map((row) => [row.key, Boolean(row.number)]));
      if (wanted !== form) {
        form = wanted;
        const before = new Map(lines.map((line, i) => [`${keys[i]} ${line[2]}`, line]));
        // a pressed button keeps the focus when its row moves
        const parts = (element) => [...element.querySelectorAll("button, input")];
        const from = lines.findIndex(([element]) => element.contains(document.activeElement));
        const at = from < 0 ? -1 : parts(lines[from][0]).indexOf(document.activeElement);
        const place = from < 0 ? -1 : value.rows.findIndex((row) => row.key === keys[from]);
        const tops = control.sorted ? lines.map(([element]) => [element, element.offsetTop]) : [];
        lines = value.rows.map((row) => before.get(`${row.key} ${Boolean(row.number)}`) || makeLine(row));
        keys = value.rows.map((row) => row.key);
        // rows that stay are not touched: scrolling back would cost a layout of the page
        const all = [hint, ...heading, ...lines.map(([element]) => element), problem];
        for (const child of [...box.children]) if (!all.includes(child)) child.remove();
        all.forEach((child, i) => { if (box.children[i] !== child) box.insertBefore(child, box.children[i] || null); });
        glide(tops);
        if (at >= 0 && lines.length) parts((lines[place] || lines[Math.min(from, lines.length - 1)])[0])[at]?.focus();
      }
      const isRefused = Boolean(value.problem);
      value.rows.forEach((row, i) => lines[i][1]({ ...row, full: row.full || row.label, isRefused }));
      for (const input of box.querySelectorAll("button, input")) input.disabled = value.disabled;
      pursue();
      const now = value.rows.findIndex((row) => row.marked);
      if (now === turn) return;
      turn = now;
      requestAnimationFrame(bring);
    }];
  },
};
