// node --import ./test/support/power.mjs …: a disk that keeps nothing but what it is forced to keep. Each time a file or folder below
// POWER_ROOT is forced to the disk, what it holds in that moment goes to POWER_DISK: of a file its bytes, of a folder the names in it.
// test/process/power-cut.ts makes of that what is there after the power was cut. Once POWER_DISK/deaf is there, nothing is kept any more.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, resolve, sep } from 'node:path';

const root = fs.realpathSync(process.env.POWER_ROOT);
const disk = process.env.POWER_DISK;
const real = { openSync: fs.openSync, open: fs.promises.open };
/** Where each open file was when it was opened. @type {Map<number, string>} */
const paths = new Map();

/** Names a file for as long as it lives, wherever it is moved. */
const idOf = ({ ino, birthtimeNs }) => `${ino}-${birthtimeNs}`;

/** Puts it in place in one step, so that a process that is killed meanwhile leaves what was there. */
function keep(id, write) {
  const draft = join(disk, `${id}.draft.${process.pid}`);
  write(draft);
  fs.renameSync(draft, join(disk, id));
}

/** @param {number} fd */
function force(fd) {
  const path = paths.get(fd);
  if (path === undefined || !`${path}${sep}`.startsWith(root + sep) || fs.existsSync(join(disk, 'deaf'))) return;
  const stats = fs.fstatSync(fd, { bigint: true });
  if (idOf(fs.statSync(path, { bigint: true })) !== idOf(stats)) throw new Error(`${path} was moved while it was open`);
  if (path === root) fs.writeFileSync(join(disk, 'root'), idOf(stats));
  if (!stats.isDirectory()) return keep(idOf(stats), (draft) => fs.copyFileSync(path, draft));
  const entries = fs.readdirSync(path).map((name) => {
    const entry = fs.lstatSync(join(path, name), { bigint: true });
    return { name, id: idOf(entry), mode: Number(entry.mode), isFolder: entry.isDirectory() };
  });
  keep(idOf(stats), (draft) => fs.writeFileSync(draft, JSON.stringify(entries)));
}

fs.openSync = (path, ...more) => {
  const fd = real.openSync(path, ...more);
  paths.set(fd, resolve(String(path)));
  return fd;
};
fs.promises.open = async (path, ...more) => {
  const file = await real.open(path, ...more);
  paths.set(file.fd, resolve(String(path)));
  file.sync = async () => force(file.fd);
  return file;
};
fs.fsyncSync = force;
fs.fdatasyncSync = force;
syncBuiltinESMExports();
