// A Pico for the tests: real MicroPython that runs the files of a folder, on a serial line and with wires.
//
//   node runner.mjs FOLDER WIRES   fd 0 and 1: the serial line, not blocking
//                                  fd WIRES: a line each. In: "pin N LEVEL", "noise PER_MILLE", "reset".
//                                  Out: "pin N LEVEL" whenever an output changes, "ready".
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript";

const LINE_IN = 0, LINE_OUT = 1, WIRES = Number(process.argv[3]);
const never = new Int32Array(new SharedArrayBuffer(4));
const inputs = new Map(), outputs = new Map(), received = [];
let wires = "", noise = 0, seed = 1;

function readSome(fd) {
  const buffer = Buffer.alloc(4096);
  try {
    const count = fs.readSync(fd, buffer);
    if (count === 0) process.exit(0);
    return buffer.subarray(0, count);
  } catch (error) {
    if (error.code === "EAGAIN") return buffer.subarray(0, 0);
    if (error.code === "EIO" && fd === LINE_IN) return buffer.subarray(0, 0); // nobody has the port open
    process.exit(0);
  }
}

function writeAll(fd, data) {
  for (let at = 0; at < data.length;) {
    try {
      at += fs.writeSync(fd, data, at);
    } catch (error) {
      if (error.code !== "EAGAIN") process.exit(0);
      return; // like a Pico, lose what nobody reads
    }
  }
}

function chance(perMille) {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % 1000 < perMille;
}

function tend() {
  received.push(...readSome(LINE_IN));
  wires += readSome(WIRES).toString();
  for (let end; (end = wires.indexOf("\n")) >= 0; wires = wires.slice(end + 1)) {
    const [word, ...rest] = wires.slice(0, end).split(" ");
    if (word === "pin") inputs.set(Number(rest[0]), Number(rest[1]));
    else if (word === "noise") noise = Number(rest[0]);
    else if (word === "reset") process.exit(3);
  }
}

const mp = await loadMicroPython({
  linebuffer: true,
  stdout: (line) => console.error(line),
  stderr: (line) => console.error(line),
});
mp.registerJsModule("bench", {
  waiting(timeout) {
    tend();
    if (received.length === 0 && timeout > 0) {
      Atomics.wait(never, 0, 0, timeout);
      tend();
    }
    return received.length > 0;
  },
  take: () => received.shift(),
  give(text) {
    const data = Buffer.from(text);
    for (let i = 0; i < data.length; i++) if (chance(noise)) data[i] ^= 1 << (i & 7);
    writeAll(LINE_OUT, data);
  },
  level: (pin) => inputs.get(pin) ?? 1,
  lead(pin, level) {
    if (outputs.get(pin) === level) return;
    outputs.set(pin, level);
    writeAll(WIRES, Buffer.from(`pin ${pin} ${level}\n`));
  },
  random: () => Math.floor(Math.random() * 256),
  reset: () => process.exit(3),
});
for (const folder of [process.argv[2], path.dirname(fileURLToPath(import.meta.url))])
  for (const name of fs.readdirSync(folder).filter((name) => name.endsWith(".py")))
    mp.FS.writeFile("/" + name, fs.readFileSync(path.join(folder, name)));
writeAll(WIRES, Buffer.from("ready\n"));
mp.runPython(`
import os
if not hasattr(os, "urandom"):  # this build has none
    import bench
    os.urandom = lambda count: bytes([bench.random() for _ in range(count)])
import main, streams
main.run(streams.In(), streams.Out(), streams.Poller())
`);
