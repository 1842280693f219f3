// Counts variables, parameters and members called by a participle or a pronoun: such a name says nothing of what it holds.
import { resolve } from 'node:path'
import { Glob } from 'bun'

const ROOT = resolve(import.meta.dir, '..')
const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm

/** Where such a name is declared or given a value: `const told =`, `(said: string)`, `{ kept, … }`. */
const NAME = /(?<![.'"`$\w-])(?:asked|told|said|given|kept|look|what|who)(?=\??\s*(?:[:,})]|=(?!=)))/g

/** How often they stand in the code of all packages, tests included. */
export async function countVagueNames(): Promise<number> {
  let count = 0
  for await (const file of new Glob(
    '{contract,client,ui,shell,mfe-*,formats,backend,cli,simulator,e2e,bench}/{src,test}/**/*.{ts,tsx}',
  ).scan(ROOT)) {
    const code = (await Bun.file(resolve(ROOT, file)).text()).replace(COMMENT, '')
    count += code.match(NAME)?.length ?? 0
  }
  return count
}
