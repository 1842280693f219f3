// What a bundle has in the place of two parts of WhatsApp's library, which are most of its memory (docs/decisions/0333).
import { join } from 'node:path'

/** Its generated types: some 670, each with seven functions, of which a desk uses a few dozen. */
export const GENERATED_TYPES = /[\\/]@whiskeysockets[\\/]baileys[\\/]WAProto[\\/]index\.js$/
const BEGIN = /^( +)(\w+)\.(\w+) = \(function\(\) \{$/gm
const END = /^( +)\}\)\(\);$/gm
/** A property that is made with its first use. */
const ADD_LATE = `function addLate(owner, name, make) {
  const define = rest => Object.defineProperty(owner, name, { enumerable: true, configurable: true, ...rest });
  define({ get: () => define({ value: make(), writable: true })[name] });
}`

/** Has each type, which is `owner.Name = (function() {…})()`, made with its first use. Lines stay where they are. Throws at another form. */
export function delayTypes(text: string): string {
  const [begun, ended] = [[...text.matchAll(BEGIN)], [...text.matchAll(END)]]
  const count = (found: readonly RegExpExecArray[]) =>
    found
      .map(match => match[1]?.length)
      .sort()
      .join()
  if (begun.length === 0 || count(begun) !== count(ended))
    throw new Error('The generated types of Baileys have another form than before.')
  return `${text.replace(BEGIN, '$1addLate($2, "$3", function() {').replace(END, '$1});')}\n${ADD_LATE}\n`
}

/** Puts our four hashes in the place of a package that has them as WebAssembly. What else of it is asked for, no bundle can be made with. */
export function replaceHashes(root: string): Bun.BunPlugin {
  return {
    name: 'replace hashes',
    setup(build) {
      const path = join(root, 'backend/src/messaging/channels/baileys/library-hashes.ts')
      build.onResolve({ filter: /^whatsapp-rust-bridge$/ }, () => ({ path }))
    },
  }
}
