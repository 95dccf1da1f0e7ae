// Bundles the modules of js/src into rocviz/widgets/base/bundles, where Python finds them. The bundles
// are kept in the repository, so that nobody needs Node to use or to test rocviz; sources.json says what
// each was built from, and a test compares. With --check nothing is written; what differs is an error.

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = join(root, "rocviz", "widgets", "base", "bundles");
/** @type {Record<string, esbuild.Format>} the page without a kernel has a plain script, all others are modules */
const FORMATS = { stage: "esm", ahead: "esm", story: "esm", story_maker: "esm", gallery: "esm", page: "iife" };

const sha256 = (/** @type {string | Uint8Array} */ text) => createHash("sha256").update(text).digest("hex");

/** @type {Record<string, string>} */
const files = {};
/** @type {Record<string, any>} */
const built = { esbuild: esbuild.version, sources: {}, bundles: {} };
for (const [name, format] of Object.entries(FORMATS)) {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [join(root, "js", "src", `${name}.js`)],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    charset: "utf8",
    target: "es2022",
    format,
    banner: { js: `// Built from js/src/${name}.js by \`make js\`; do not edit.` },
  });
  files[`${name}.js`] = outputFiles[0].text;
  built.bundles[`${name}.js`] = sha256(outputFiles[0].text);
  for (const path of Object.keys(metafile.inputs)) {
    built.sources[relative(root, join(root, path)).replaceAll("\\", "/")] = sha256(await readFile(join(root, path)));
  }
}
built.sources = Object.fromEntries(Object.entries(built.sources).sort());
files["sources.json"] = `${JSON.stringify(built, null, 2)}\n`;

if (process.argv.includes("--check")) {
  for (const [name, text] of Object.entries(files)) {
    if ((await readFile(join(out, name), "utf8").catch(() => "")) === text) continue;
    console.error(`${relative(root, join(out, name))} is not what js/src builds: run \`make js\`.`);
    process.exitCode = 1;
  }
} else {
  await mkdir(out, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(out, name), text);
}
