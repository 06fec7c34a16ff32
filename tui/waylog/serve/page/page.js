// The page of phones and of the wall. It knows no rule: what it shows and offers comes from the feed, and what it sends is a move
// with its answers. Every text is put in as text.

const isWall = location.pathname.startsWith("/table");
const base = isWall ? "/table" : "";
const ROLL_SHOWN = 20000; // milliseconds that a roll with its outcome stays large
const PAGE_SHOWN = 8000;
const SILENCE = 40000; // the feed says something every 15 seconds, if there is a connection
const RETRY = 2000;
const HOLD = 900; // milliseconds to hold the pause key
const PAD_SIDES = 12; // the most that have a key each

const state = {}; // all that the feed has said
const outbox = new Map(JSON.parse(sessionStorage.outbox ?? "[]")); // acts that have not reached the server, by id
const going = new Set(); // the ids of those on their way
const drawn = {}; // what each section was drawn from
const folded = new Map(); // parts that were opened or closed
export const feed = { stop: null, heard: 0, offset: 0, wake: null, ended: false };
const large = { roll: null, timer: 0 }; // the roll that is shown

const $ = (id) => document.getElementById(id);
const sheet = $("sheet");
const cover = $("pause");
const look = document.body.classList;
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const put = (place, ...children) => place.replaceChildren(...children.flat(4).filter((child) => child || child === 0));

// Makes an element: el("p.why", {role: "alert"}, "text", other, …). A child that is false or empty is left out.
function el(kind, ...children) {
	const [tag, ...classes] = kind.split(".");
	const made = document.createElement(tag);
	const props = children[0]?.constructor === Object ? children.shift() : {};
	made.classList.add(...classes);
	for (const name in props) {
		if (name in made) made[name] = props[name];
		else made.setAttribute(name, props[name]);
	}
	put(made, children);
	return made;
}

const button = (label, onclick, kind = "button") => el(kind, { onclick }, label);
const group = (label, ...children) => el("fieldset", el("legend", label), children);
const field = (label, props, hint) => el("label", label, hint && el("small", " ", hint), el("input", props));

// -- the connection --

async function post(path, body) {
	const headers = { "Content-Type": "application/json" };
	try {
		const answer = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
		return { ok: answer.ok, ...(await answer.json().catch(Object)) };
	} catch {
		return { offline: true };
	}
}

async function logIn() {
	const token = location.hash.slice(1);
	if (!token) return true;
	const answer = await post("/login", { token });
	if (answer.offline) throw answer;
	history.replaceState(null, "", location.pathname); // Nobody is to read the key off the screen.
	if (!answer.ok) warn(answer.why);
	return answer.ok;
}

async function stayConnected() {
	for (;;) {
		try {
			feed.ended = !((await logIn()) && (await follow()));
		} catch {
			warn("No connection. Trying again…");
		}
		await new Promise((done) => {
			feed.wake = done;
			if (!feed.ended) setTimeout(done, RETRY);
		});
	}
}

// Follows the feed to its end. Returns false if trying again makes no sense.
async function follow() {
	feed.stop = new AbortController();
	feed.heard = Date.now();
	const answer = await fetch(`${base}/feed`, { signal: feed.stop.signal });
	if (!answer.ok) {
		warn((await answer.json()).why);
		return answer.status !== 403;
	}
	const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
	for (let text = "", part; !(part = await reader.read()).done; ) {
		feed.heard = Date.now();
		const messages = (text + part.value).split("\n\n");
		text = messages.pop();
		for (const message of messages) {
			const [, event, data] = message.match(/^(?:event: (.*)\n)?(?:data: (.*))?/);
			if (event) warn(JSON.parse(data).why);
			else if (data) take(JSON.parse(data));
			if (event && event !== "ended") return false;
		}
	}
	throw new Error("the feed was cut");
}

function take(message) {
	const before = { ...state };
	Object.assign(state, message);
	if (before.log && newTexts(before.log, state.log)) state.missed = [];
	feed.offset = state.now - Date.now() / 1000;
	warn(state.trouble);
	for (const act of outbox.values()) send(act, 0);
	draw();
	showRoll(before);
	showPause();
	tell(before);
}

function wakeUp() {
	if (document.hidden) return;
	if (Date.now() - feed.heard > SILENCE / 2) feed.stop?.abort();
	feed.wake?.();
}

// -- what is new, in one line --

const warn = (text) => put($("trouble"), text);
const said = { text: "", at: 0 };

// What is said within a moment stays together, so that nothing is missed.
function say(text) {
	said.text = Date.now() - said.at < RETRY ? `${said.text} ${text}` : text;
	said.at = Date.now();
	put($("news"), said.text);
}

// Returns the texts at the end of a log that the one before lacks; null if one of those was undone.
function newTexts(...logs) {
	const [before, after] = logs.map((log) => log.map((act) => act.text));
	for (let gone = 0; gone < before.length; gone++) {
		const rest = before.slice(gone);
		if (same(after.slice(0, rest.length), rest)) return after.slice(rest.length);
	}
	return before.length ? null : after;
}

function tell(before) {
	if (!before.log) return;
	if (state.question !== before.question && mayAnswer()) scrollTo(0, 0);
	const texts = newTexts(before.log, state.log);
	const lines = texts ? [texts.at(-1), texts.length > 1 && `And ${texts.length - 1} more before that`] : [!state.missed.length && "The wayfinder undid something."];
	for (const sent of state.sent) {
		const old = before.sent.find((one) => one.id === sent.id);
		if (old?.answer !== sent.answer) lines.push(`${sent.status.slice(2)}.`);
	}
	const news = lines.filter(Boolean).join(" ");
	if (news) say(news);
}

// -- drawing --

const SECTIONS = {
	question: ["A question", ["question", "moves", "dice", "wants_dice"], drawQuestion],
	stakes: ["At stake", ["stakes"], drawStakes],
	sent: ["What you sent", ["sent"], drawSent],
	missed: ["What you missed", ["missed"], drawMissed],
	roll: ["The roll", []],
	timers: ["Timers", ["timers"], drawTimers],
	mine: ["Your character", ["me", "panels", "rules"], () => state.panels.filter(isMine).map(drawPanel)],
	clocks: ["Clocks", ["clocks"], () => state.clocks.map(drawClock)],
	cards: ["Cards", ["decks"], () => state.decks.map(drawDeck)],
	panels: ["Ship and crew", ["me", "panels", "rules"], () => state.panels.filter((panel) => !isMine(panel)).map(drawPanel)],
	own: ["Your own notes", ["me"], drawOwnNotes],
	log: ["Log", ["log", "rules"], drawLog],
};

function draw() {
	put($("name"), (document.title = state.name || "Waylog"));
	put($("session"), [state.me?.name, state.session && `session ${state.session}`, state.title].filter(Boolean).join(" · "));
	$("keys").hidden = !state.me;
	$("open-note").disabled = !findNote();
	for (const [id, [, keys, drawing]] of Object.entries(SECTIONS)) {
		const from = JSON.stringify(keys.map((key) => state[key]));
		if (!drawing || drawn[id] === from) continue;
		drawn[id] = from;
		put($(id), drawing());
		$(id).hidden = !$(id).firstChild;
	}
}

function fold(title, isOpen, ...children) {
	const part = el("details", { open: folded.get(title) ?? isOpen }, el("summary", title), children);
	part.ontoggle = () => folded.set(title, part.open);
	return part;
}

function drawMissed() {
	if (isWall || !state.missed.length) return [];
	const close = () => ((state.missed = []), draw());
	return [el("h2", "What you missed"), el("ul", state.missed.map((line) => el("li", line))), button("Got it", close)];
}

const findNote = () => state.moves.find((move) => move.id === "note");
const answers = () => state.moves.filter((move) => move.follows && !move.blocked);
const mayAnswer = () => state.wants_dice || answers().length > 0;

function drawQuestion() {
	if (!state.question) return [];
	if (!mayAnswer()) return [!isWall && el("p", "Waiting for another player:"), el("h2", state.question)];
	if (!state.wants_dice) return [el("h2", state.question), el("div.choices", answers().map(moveButton))];
	const [act, rest] = [newAct({ id: "dice", label: "Your dice" }), newAct({ id: "rest", label: "Let Waylog roll" })];
	return [el("h2", state.question), drawPad(state.dice, (faces) => send({ ...act, faces })), button(rest.title, () => send(rest))];
}

function drawStakes() {
	return state.stakes.map((one) => [el("h2", one.title), drawOdds(one.odds), one.forecast.map((text) => el("p", text))]);
}

function drawSent() {
	const waiting = state.sent.filter((one) => one.answer === "waits");
	const latest = state.sent.filter((one) => one.answer !== "waits").slice(-1);
	const takeBack = (one) => button("Take back", () => post("/take-back", { proposal: one.id }).then(({ why }) => why && say(why)));
	return [
		[...outbox.values()].map((act) => el("p", `… ${act.title}: will be sent when you are back online`)),
		[...latest, ...waiting].map((one) =>
			el("p.sent", el("span", one.status), one.answer === "waits" && takeBack(one)),
		),
	];
}

function drawTimers() {
	return state.timers.map((timer) => el("p", `${timer.name} `, onlyFor(timer), el("b", { role: "timer", "data-ends": timer.ends }, left(timer.ends))));
}

function left(ends) {
	const seconds = Math.ceil(ends - Date.now() / 1000 - feed.offset);
	return seconds > 0 ? new Date(1000 * seconds).toISOString().slice(11, 19).replace(/^00:/, "") : "over";
}

function tick() {
	for (const one of document.querySelectorAll("[data-ends]")) put(one, left(one.dataset.ends));
	if (Date.now() - feed.heard > SILENCE) feed.stop?.abort();
}

const isMine = (panel) => panel.place === "crew" && panel.title === state.me?.character;

function drawPanel(panel) {
	const tags = panel.tags.map((tag) => el(`span.tag.${tag.tone}`, tag.text, tag.why && ` (${tag.why})`));
	const inside = [tags, el("ul.rows", panel.rows.map(drawRow))];
	if (isMine(panel) || isWall) return el("div.panel", el("h2", panel.title), inside);
	return el("div.panel", fold(panel.title, panel.place !== "crew", inside));
}

function drawRow(row) {
	const draw = {
		dice: () => [el("b", { ariaHidden: true }, "◆".repeat(Math.min(row.count, 12))), ` ${row.count}`],
		pips: () => [el("b", { ariaHidden: true }, "●".repeat(row.value), "○".repeat(Math.max(0, row.top - row.value))), ` ${row.value} of ${row.top}`],
		mark: () => [el(`b.${row.held ? "good" : "bad"}`, row.held ? "✓ " : "✗ "), row.state],
		text: () => el(`span.${row.tone}`, row.text),
		faces: () => drawDice(row.dice),
	}[row.kind];
	const label = ruleButton((rule) => rule.terms.includes(row.label), row.label, "button.term");
	return el(`li.${row.rank}`, label || el("span.term", row.label), el("span", draw(), row.note && ` · ${row.note}`), row.about && el("small", row.about));
}

// Makes a button that shows rules, if there are any.
function ruleButton(isMeant, label, kind) {
	const rules = isWall ? [] : state.rules.filter(isMeant);
	const open = () => openSheet("The rule", rules.map((rule) => [el("h3", rule.title), el("p", rule.text)]));
	return rules.length > 0 && button(label, open, kind);
}

function drawClock(clock) {
	const disc = el("span.disc");
	disc.style.setProperty("--segments", clock.segments);
	disc.style.setProperty("--filled", clock.filled ?? 0);
	const facts = [`${clock.filled ?? "?"} of ${clock.segments}`, clock.kind, clock.filled >= clock.segments && "full", clock.running !== "nothing" && clock.running];
	return el("div.clock", disc, el("div", el("h2", clock.name, onlyFor(clock)), el("p", facts.filter(Boolean).join(" · ")), clock.outcome && el("p", clock.outcome)));
}

const onlyFor = ({ seen_by: names }) => names?.length > 0 && el("small", ` only for ${names.join(", ")}`);

function drawDeck(deck) {
	const cards = deck.cards.map((card) => el("li", card.text, el("small", " ", card.luck, card.out && ", out"), onlyFor(card)));
	return el("div.panel", el("h2", deck.name), el("ul", cards));
}

function drawLog() {
	const acts = [...state.log].reverse().slice(0, isWall ? 8 : 60).map((act) => {
		const key = ruleButton((rule) => act.facts.some((fact) => fact.clause === rule.id), "Rule");
		return el("li", el("time", act.at), el("span", act.text), key);
	});
	return acts.length ? [el("h2", "Log"), el("ol", acts)] : [];
}

function drawOwnNotes() {
	const text = el("textarea", { rows: 4, value: localStorage.notes ?? "", ariaLabel: "Your own notes" });
	text.oninput = () => (localStorage.notes = text.value);
	return state.me ? [fold("Your own notes (only on this phone)", false, text)] : [];
}

// -- a roll --

const drawDice = (dice) => el("div.dice", dice.map((die) => el(die.dropped ? "span.die.dropped" : "span.die", die.face)));

function percent(share) {
	if (share < 0.1) return "<0.1 %";
	return share < 100 && share > 99.9 ? ">99.9 %" : `${Math.round(share * 10) / 10} %`;
}

function drawOdds(spread) {
	const able = spread.outcomes.filter((one) => one.percent > 0);
	const parts = able.map((one) => el(`span.${one.mood}`));
	parts.forEach((part, at) => (part.style.flexGrow = able[at].percent));
	const figures = able.map((one) => el(`li.${one.mood}`, `${one.label} `, el("b", percent(one.percent))));
	return el("div.odds", spread.label && el("h3", spread.label), el("div.bar", { ariaHidden: true }, parts), el("ul", figures));
}

function showRoll(before) {
	const { roll } = state;
	if (roll && roll.who === large.roll?.who) roll.odds ??= large.roll.odds; // Another program of the wayfinder's has played meanwhile.
	// A roll that has an outcome stays until its time is over, whatever else is played meanwhile.
	if (state.stakes.length && !same(before.stakes, state.stakes)) foldAway();
	if (same(before.roll, roll) || (roll ? roll.outcome && !before.log : large.roll?.outcome)) return;
	clearTimeout(large.timer);
	large.roll = roll;
	put($("roll"), roll && [
		el("h2", roll.who),
		drawDice(roll.dice),
		roll.typed && el("p.dim", "real dice"),
		roll.odds && drawOdds(roll.odds),
		roll.outcome && el(`p.outcome.${roll.outcome.mood}`, roll.outcome.label),
		roll.followed.map((text) => el("p", text)),
	]);
	$("roll").hidden = !roll;
	look.toggle("rolling", Boolean(roll));
	if (roll?.outcome || roll?.followed.length) large.timer = setTimeout(foldAway, ROLL_SHOWN);
}

export function foldAway() {
	large.roll = null;
	$("roll").hidden = true;
	look.remove("rolling");
}

export function turnPage() {
	const idle = $("idle");
	if (!state.log || large.roll || state.pause.paused) return;
	const before = idle.scrollLeft;
	idle.scrollLeft += idle.clientWidth + parseFloat(getComputedStyle(idle).columnGap);
	if (idle.scrollLeft === before) idle.scrollLeft = 0;
}

// -- acts --

const newAct = (move) => ({ id: newId(), move: move.id, answers: {}, faces: null, title: move.title || move.label });

// Changes the outbox. A browser may end a page that sleeps, and load it again later.
function keep(change) {
	change();
	sessionStorage.outbox = JSON.stringify([...outbox]);
}

// Sends an act, once: while it is on its way nothing happens, and later the server knows its id. Closes the sheet that it is from.
async function send(act, from = sheet.firstChild) {
	if (going.has(act.id)) return {};
	going.add(act.id);
	keep(() => outbox.set(act.id, act));
	const { title, ...body } = act;
	const answer = await post("/act", body);
	going.delete(act.id);
	if (!answer.offline) keep(() => outbox.delete(act.id));
	drawn.sent = "";
	draw();
	if (!answer.ok) say(answer.why ?? `You are offline. This will be sent later: ${title}`);
	if (!answer.why && from === sheet.firstChild) sheet.close();
	return answer;
}

function moveButton(move) {
	const act = newAct(move);
	const key = el("button", move.label);
	key.onclick = async () => {
		if (move.asks.length || move.takes_dice) return openForm(move);
		key.disabled = true;
		key.disabled = !(await send(act)).why; // Until it is drawn anew; after a refusal it is tried again.
	};
	return key;
}

function openSheet(title, ...children) {
	put(sheet, el("header", el("h2", { id: "sheet-title" }, title), button("Close", () => sheet.close())), children);
	if (!sheet.open) sheet.showModal();
	sheet.scrollTop = 0;
}

const ownFirst = (moves) => moves.sort((one, other) => other.own - one.own).map(moveButton);

function openRolls() {
	const rolls = state.moves.filter((move) => move.rolls && !move.blocked);
	if (rolls.length) openSheet("Roll", el("div.choices", ownFirst(rolls)));
	else say(state.question ? "Answer the question first." : "There is nothing to roll now.");
}

function openMore() {
	const rest = state.moves.filter((move) => !move.rolls && !move.follows && move !== findNote());
	const blocked = rest.filter((move) => move.blocked).map((move) => el("li", move.label, el("small", " ", move.blocked.reason)));
	const act = { id: newId() };
	const words = field("Something else, in your own words", { maxLength: 900, required: true, oninput: (event) => (act.words = act.title = event.target.value) });
	const typed = el("form", words, el("button", "Send"));
	typed.onsubmit = (event) => (event.preventDefault(), send(act));
	openSheet("More", el("div.choices", ownFirst(rest.filter((move) => !move.blocked))), typed, blocked.length > 0 && fold("Can't be done now", false, el("ul", blocked)));
}

function openForm(move) {
	const act = newAct(move);
	const [odds, pad, why] = [el("div"), el("div"), el("p.why", { role: "alert" })];
	const plain = button(move.takes_dice ? "Let Waylog roll" : "Send", () => press(null), "button.main");
	let [dice, timer] = [null, 0];

	async function press(faces) {
		put(why, (await send({ ...act, faces })).why);
	}

	function change() {
		act.id = newId(); // It is another act now.
		clearTimeout(timer);
		if (move.takes_dice) timer = setTimeout(askForOdds, 150);
	}

	async function askForOdds() {
		const asked = act.id;
		const found = await post("/odds", { move: act.move, answers: act.answers });
		if (asked !== act.id) return;
		put(why, found.why);
		put(odds, found.odds && [el("p", found.odds.dice), [found.odds, ...found.odds.spends].map(drawOdds)]);
		if (!found.dice || same(dice, found.dice)) return;
		dice = found.dice;
		const takesDice = dice.length || !found.odds;
		put(pad, takesDice && drawPad(dice, press));
		put(plain, takesDice ? "Let Waylog roll" : "Send");
	}

	const form = el("form", move.asks.map((ask) => drawAsk(ask, act.answers, change)));
	form.onsubmit = (event) => (event.preventDefault(), move.takes_dice || press(null));
	openSheet(move.label, form, odds, pad, why, plain);
	if (move.takes_dice) askForOdds();
}

function drawAsk(ask, answers, change) {
	const set = (value) => {
		if (value === "" || value.length === 0) delete answers[ask.name];
		else answers[ask.name] = value;
		change();
	};
	const put = (event) => set(event.target.value.trim());
	const number = (of, value, oninput) => ({ type: "number", min: of.least, max: of.most, value, oninput });
	switch (ask.kind) {
		case "one":
		case "many":
			return group(ask.label, drawOptions(ask, set), ask.notation && field("Other dice", { placeholder: "2d6+3", oninput: put }));
		case "number":
			return field(ask.label, number(ask, ask.default ?? "", (event) => set(event.target.valueAsNumber || 0)));
		case "allocate": {
			const change = () => set(slots.map((slot) => Number(slot.lastChild.value)));
			const slots = ask.slots.map((slot) => field(slot.label, number(slot, slot.now, change)));
			return group(ask.label, slots, el("small", `Share out ${ask.total} dice`));
		}
		default:
			return field(ask.label, { maxLength: 900, oninput: put }, !ask.required && "optional");
	}
}

function drawOptions(ask, set) {
	const type = ask.kind === "one" ? "radio" : "checkbox";
	const chips = ask.options.map(({ word: value, label, note, blocked }) => {
		const box = el("input", { type, name: ask.name, value, checked: value === ask.default, disabled: Boolean(blocked) });
		return el("label.chip", box, el("span", label, (blocked || note) && el("small", " ", blocked?.reason ?? note)));
	});
	const place = el("div.chips", chips);
	place.onchange = () => {
		const words = [...place.querySelectorAll(":checked")].map((box) => box.value);
		set(ask.kind === "one" ? words[0] : words);
	};
	return place;
}

const nameOf = (die) => die.asked || die.source;

// Draws keys for real dice, and the key that sends them.
function drawPad(dice, press) {
	let faces = dice.map(() => 0);
	const done = button("Send these dice", () => press(faces), "button.main");
	done.disabled = true;
	if (!dice.length || dice.some((die) => die.sides > PAD_SIDES)) {
		const read = ({ target }) => {
			faces = (target.value.match(/\d+/g) ?? []).map(Number);
			done.disabled = !faces.length;
		};
		return [group("Your own dice", field("What the dice show, such as 5 2 1", { inputMode: "numeric", oninput: read }, dice.map((die) => ` d${die.sides}`).join(""))), done];
	}
	const hint = el("p", { role: "status" });
	const slots = dice.map((_, place) => button("", () => show(place), "button.die"));
	const keys = [...Array(Math.max(...dice.map((die) => die.sides))).keys()].map((face) => button(face + 1, () => enter(face + 1)));
	let at = 0;
	function enter(face) {
		faces[at] = face;
		const next = faces.indexOf(0);
		done.disabled = next >= 0;
		show(next < 0 ? at : next);
	}
	function show(place) {
		at = place;
		slots.forEach((slot, each) => {
			put(slot, faces[each] || "·");
			slot.ariaLabel = `${nameOf(dice[each])}: ${faces[each] || "empty"}`;
			slot.ariaCurrent = each === at;
		});
		keys.forEach((key, each) => (key.disabled = each >= dice[at].sides));
		put(hint, `${nameOf(dice[at])} d${dice[at].sides}`);
	}
	show(0);
	return [group("Your own dice", el("div.dice", slots), hint, el("div.pad", keys)), done];
}

// -- the pause --

function watchPauseKey(key) {
	let [timer, pressed] = [0, 0];
	const begin = () => {
		key.classList.add("pressed");
		timer = setTimeout(ask, HOLD);
	};
	const end = () => {
		key.classList.remove("pressed");
		clearTimeout(timer);
	};
	async function ask() {
		end();
		pressed = 0;
		const answer = await post("/pause", {});
		if (!answer.ok) openSheet("Say it aloud", el("p", `You can't pause the game from here. If you need a pause, say so aloud. ${answer.why ?? ""}`));
	}
	key.onpointerdown = begin;
	key.onpointerup = key.onpointerleave = key.onpointercancel = end;
	key.oncontextmenu = () => false;
	// Who can't hold a key presses it twice. A key of the keyboard that is held presses it by itself.
	key.onclick = () => {
		if (Date.now() - pressed < 5000) return ask();
		pressed = Date.now();
		say("To pause the game, hold the button, or press it again. Nobody sees who asked.");
	};
}

function showPause() {
	const { paused, lost } = state.pause;
	const isLost = lost && !isWall;
	if (!paused && !isLost) return cover.close();
	const ask = (path, label) => button(label, () => post(path, {}));
	put(
		cover,
		el("h2", { id: "pause-title" }, isLost ? "Say it aloud" : "The game is paused"),
		isLost && el("p", `The pause hasn't reached the wayfinder. ${lost}`),
		isLost && !paused && [ask("/pause", "Ask again"), ask("/forget-pause", "Back to the game")],
	);
	if (!cover.open) cover.showModal();
}

look.toggle("table", isWall);
Object.keys(SECTIONS).forEach((id, at) => $(at < 5 ? "first" : "idle").append(el("section", { id, ariaLabel: SECTIONS[id][0], hidden: true })));
$("question").ariaLive = "polite";
$("open-roll").onclick = openRolls;
$("open-more").onclick = openMore;
$("open-note").onclick = () => openForm(findNote());
cover.oncancel = () => false;
watchPauseKey($("pause-key"));
setInterval(tick, 1000);
if (isWall) setInterval(turnPage, PAGE_SHOWN);
document.onvisibilitychange = window.ononline = wakeUp;
window.onhashchange = () => (feed.stop?.abort(), feed.wake?.());
stayConnected();
