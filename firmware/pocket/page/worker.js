// The referee in a worker: Python, the store that outlives the page, and the time of day.
// One tab at a time may hold it (Web Locks), and a line is on the disk before Python goes on (OPFS).

import { loadPyodide } from "../PYTHON/pyodide.mjs";

/** The wheel that was added and is open, "" for the referee's own games: each game has a store, whatever its version. */
const WHEEL = self.name;
const FILE = WHEEL ? `wheel-${WHEEL.split("-")[0]}.jsonl` : "journal.jsonl";
const ELSEWHERE = "The referee is open in another tab. Close that one to go on here.";
const LOADING = "Loading the referee…";
const MISSING = "This browser cannot keep a game: it lacks a private file system for pages. A browser of 2023 or later has one.";
const LONGEST = 2 ** 31 - 1;
const NEWLINE = 10;

/** Big screens: other windows of this site, which ask for what there is to see. */
const screens = new BroadcastChannel("referee-screens");

const post = (message) => self.postMessage(message);
const waiting = [];
let take = (data) => waiting.push(data);
self.addEventListener("message", ({ data }) => take(data));

/** The lock of this origin, held until the tab is closed. */
function alone() {
  const told = setTimeout(() => post({ says: ELSEWHERE }), 500);
  return new Promise((held) => {
    navigator.locks.request("referee", () => {
      clearTimeout(told);
      post({ says: LOADING });
      held();
      return new Promise(() => {});
    });
  });
}

/** The file of lines: what was half written when the power went is cut off. */
async function opened() {
  const folder = await navigator.storage.getDirectory();
  const handle = await folder.getFileHandle(FILE, { create: true });
  const access = await handle.createSyncAccessHandle();
  const bytes = new Uint8Array(access.getSize());
  access.read(bytes, { at: 0 });
  let size = bytes.lastIndexOf(NEWLINE) + 1;
  if (size < bytes.length) {
    access.truncate(size);
    access.flush();
  }
  const text = new TextDecoder().decode(bytes.subarray(0, size));
  /** Keep one line; why it is not kept, "" if it is. */
  const keep = (line) => {
    const added = new TextEncoder().encode(`${line}\n`);
    try {
      if (access.write(added, { at: size }) !== added.length) throw new Error("the disk is full");
      access.flush();
    } catch (error) {
      try {
        access.truncate(size);
      } catch {
        // What is left over has no newline, or is written over by the next line.
      }
      return String(error.message || error);
    }
    size += added.length;
    return "";
  };
  return { text, keep };
}

/** The bytes of the wheel that is open. */
async function added() {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("wheels");
  return (await (await folder.getFileHandle(WHEEL)).getFile()).arrayBuffer();
}

/** Take away what leads out of here: code of a wheel reaches neither a network nor the games of others. */
function closeDoors() {
  const out = ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport", "WebSocketStream", "indexedDB", "caches",
    "Worker", "SharedWorker", "BroadcastChannel", "importScripts", "FontFace", "webkitRequestFileSystem",
    "webkitRequestFileSystemSync", "webkitResolveLocalFileSystemURL", "webkitResolveLocalFileSystemSyncURL", "cookieStore"];
  const inside = ["storage", "storageBuckets", "locks", "serviceWorker", "sendBeacon", "usb", "hid", "serial"];
  const remove = (object, names) => {
    for (let at = object; at; at = Object.getPrototypeOf(at)) for (const name of names) delete at[name];
  };
  remove(self, out);
  remove(navigator, inside);
  const open = [...out.filter((name) => name in self), ...inside.filter((name) => name in navigator)];
  if (open.length) throw new Error(`This browser cannot lock a game in: ${open.join(", ")} stay open.`);
}

async function begin() {
  if (!navigator.locks || !navigator.storage?.getDirectory || !("createSyncAccessHandle" in FileSystemFileHandle.prototype)) {
    throw new Error(MISSING);
  }
  const loading = loadPyodide({ indexURL: new URL("../PYTHON/", import.meta.url).href });
  const sources = fetch(new URL("referee.zip", import.meta.url)).then((answer) => answer.arrayBuffer());
  await alone();
  const { text, keep } = await opened();
  const wheel = WHEEL && (await added());
  const python = await loading;
  python.unpackArchive(await sources, "zip", { extractDir: "/referee" });
  if (WHEEL) {
    python.FS.writeFile(`/${WHEEL}`, new Uint8Array(wheel));
    closeDoors();
  }
  python.globals.set("wheel", WHEEL);
  python.globals.set("text", text);
  python.globals.set("store", keep);
  python.globals.set("send", (messages) => post({ messages }));
  python.globals.set("tell", (messages) => screens.postMessage({ messages }));
  return python.runPython(`
import sys
from pathlib import Path
sys.path.insert(0, "/referee")
from referee.station.pocket import Pocket

def keep(line):
    why = store(line)
    if why:
        raise OSError(why)

if wheel:
    from referee.station.pocket import add
    add(f"/{wheel}")

folder = Path("/games")
folder.mkdir()
pocket = Pocket(text.splitlines(), keep, send, folder)

def report(anonymous=False):
    from referee.report import page, tell
    from referee.station.picture import picture_of
    return page(tell(*pocket.recorded(anonymous=anonymous)), picture_of)

pocket.report = report
pocket.show = lambda: pocket.watch(tell)
pocket
`);
}

/** The last line of a traceback of Python is what went wrong. */
const said = (error) => String(error.message ?? error).trim().split("\n").at(-1).replace(/^[\w.]*: /, "");

try {
  const pocket = await begin();
  let timer = 0;
  const due = (seconds) => {
    clearTimeout(timer);
    if (seconds !== undefined && seconds !== null) {
      timer = setTimeout(() => due(pocket.pass_time()), Math.min(seconds * 1000, LONGEST));
    }
  };
  take = ({ hear, ask, how, number }) => {
    try {
      if (hear !== undefined) due(pocket.hear(hear));
      else post({ number, result: pocket[ask](...how) ?? null });
    } catch (error) {
      post(hear === undefined ? { number, failed: said(error) } : { failed: said(error) });
    }
    if (hear === undefined) due(pocket.pass_time());
  };
  waiting.forEach((data) => take(data));
  screens.onmessage = ({ data }) => (data === "what is there?" ? pocket.show() : screens.postMessage({}));
  pocket.show();
  due(pocket.pass_time());
} catch (error) {
  post({ failed: said(error) });
}
