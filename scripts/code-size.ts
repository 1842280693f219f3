// Prints what can be counted of how the code is written: names, folders, floors, generated lines and sentences that stand twice.
import { join, relative, resolve } from 'node:path'
import { Glob } from 'bun'
import type { Node, SourceFile, Statement } from 'typescript/unstable/ast'
import { SyntaxKind } from 'typescript/unstable/ast'
import {
  isArrowFunction,
  isClassDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isTypeAliasDeclaration,
  isVariableStatement,
} from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/async'
import { FLOORS } from './floors.ts'
import { countVagueNames } from './vague-names.ts'

const ROOT = resolve(import.meta.dir, '..')

/** Words that say nothing of what a type holds. */
const VAGUE_TYPES =
  'Asked Said Told Given Kept Means One Place World Look Wanted Known Found Added Edited Ended Taken Sent Heard Here'

/** Endings that leave out what a function does. */
const PREPOSITION = /[a-z](Of|In|By|For|At)$/

/** First words of functions that say what they do; predicates and pure conversions among them. */
const VERBS = new Set(
  `is are has have can should owns matches needs to parse accept acquire activate add admit advance allow announce answer append apply
  archive arrange assert assign attach audit authenticate authorise await backfill batch begin bind boot break broadcast build bundle
  cache calculate call cancel cast change check choose claim classify clean clear clone close collect combine come compare compile
  complete compose compress compute connect consume continue convert copy correct count cover crash create cut deactivate debounce decide
  decode decompress decrypt defer define delete deliver derive describe detach detect dial disarm discard disconnect dispatch divide do
  download drain draw drop edit emit empty enable encode encrypt end enforce enqueue ensure enter erase escape estimate evaluate exclude
  execute exit expand expect expire explain export extract fail fetch fill filter find fingerprint finish fire flatten flush focus fold
  follow force forget format forward free gather generate get grow guess handle hash heal hide highlight hold hook ignore import include
  increase infer insert install interpolate interpret invalidate invite issue join jump kill limit link list listen load lock log lower
  make map mark mask match measure merge migrate mirror mount move name narrow negotiate normalize notify observe offer open pack
  paginate pass paste patch pause perform persist pick pin plan play poll post prefer prepare present preserve press preview print
  process produce provide prune publish pull push put query raise rank react read reassign receive recognise recompute reconcile record
  recover redact redirect reduce refresh refuse register reject release reload remember remove rename render renew reopen reorder repair
  repeat replace replay reply report reprocess request require reread reschedule reset resize resolve respond restart restore resume
  retry return reveal revert revoke rotate round route run sanitize save scale scan schedule scroll seal search seed select send separate
  serialize serve set settle shift shorten show shut shuffle sign silence simulate skip sleep slice snapshot sort split spool start stop
  store stream strip submit subscribe suggest sum summarise support suspend swap sweep switch sync test throttle throw toggle touch track
  transcode transcribe transfer transform translate trim truncate try type undo unlink unlock unmount unpack unregister unseal
  unsubscribe unwrap update upgrade upload use validate verify visit wait wake walk warn wash watch widen wipe withdraw wrap write yield`.split(
    /\s+/,
  ),
)

interface ExportedName {
  readonly file: string
  readonly name: string
  readonly kind: 'function' | 'type'
}

const names = await readExportedNames()
const functions = names.filter(({ kind }) => kind === 'function')
const backend = functions.filter(({ file }) => file.startsWith('backend/src/'))
const types = names.filter(({ kind }) => kind === 'type')
const duplicates = listDuplicates(types.filter(({ file }) => !/\/(test|gallery)\//.test(file)))
const vague = types.filter(({ name }) => VAGUE_TYPES.split(' ').includes(name))
const errors = await compareErrorSentences()

print([
  ['exported functions', functions.length],
  ['… whose name ends in Of, In, By, For, At', share(functions, ({ name }) => PREPOSITION.test(name))],
  ['exported functions of the back end', backend.length],
  ['… that begin with a verb', share(backend, ({ name }) => beginsWithVerb(name))],
  ['exported types', types.length],
  ['… named by a participle or a pronoun', `${vague.length} (${countWords(vague)})`],
  [
    '… whose name is declared more than once',
    `${duplicates.length} (${duplicates.slice(0, 12).map(formatCount).join(', ')})`,
  ],
  ['variables and members named by a participle or a pronoun', await countVagueNames()],
  ['folders at the top of backend/src', await countFolders('backend/src')],
  ['floors of the back end', FLOORS.backend?.length ?? 0],
  ['lines of generated snapshots', await countLines('backend/migrations/meta/*.json')],
  ['error sentences on the server and again on the page', errors.twice],
  ['… of them different', errors.different],
])

if (process.argv.includes('--list')) {
  for (const { file, name } of functions.filter(({ name }) => PREPOSITION.test(name)))
    console.log(`preposition\t${file}\t${name}`)
  for (const { file, name } of backend.filter(({ name }) => !beginsWithVerb(name)))
    console.log(`no verb\t${file}\t${name}`)
  for (const { file, name } of vague) console.log(`vague\t${file}\t${name}`)
  for (const [name, count] of duplicates) console.log(`duplicate\t${count}\t${name}`)
}

/** Exported functions, hooks and types of all packages. Components are none of these: their names are nouns. */
async function readExportedNames(): Promise<readonly ExportedName[]> {
  const api = new API({ cwd: ROOT })
  const config = join(ROOT, 'tsconfig.json')
  const project = (await api.updateSnapshot({ openProjects: [config] })).getProject(config)
  if (!project) throw new Error(`No project in ${config}`)
  const found: ExportedName[] = []
  for (const path of project.rootFiles) {
    const file = await project.program.getSourceFile(path)
    if (file) found.push(...listExports(relative(ROOT, path), file))
  }
  await api.close()
  return found
}

function listExports(file: string, source: SourceFile): ExportedName[] {
  return [...source.statements].filter(isExported).flatMap((statement): ExportedName[] => {
    if (isInterfaceDeclaration(statement) || isTypeAliasDeclaration(statement) || isClassDeclaration(statement))
      return statement.name ? [{ file, name: statement.name.text, kind: 'type' }] : []
    return listFunctions(statement)
      .filter(name => /^[a-z]/.test(name))
      .map(name => ({ file, name, kind: 'function' }))
  })
}

function listFunctions(statement: Statement): string[] {
  if (isFunctionDeclaration(statement)) return statement.name ? [statement.name.text] : []
  if (!isVariableStatement(statement)) return []
  return [...statement.declarationList.declarations].flatMap(({ name, initializer }) =>
    isIdentifier(name) && initializer && (isArrowFunction(initializer) || isFunctionExpression(initializer))
      ? [name.text]
      : [],
  )
}

function isExported(statement: Node & { readonly modifiers?: Iterable<Node> | undefined }): boolean {
  return [...(statement.modifiers ?? [])].some(({ kind }) => kind === SyntaxKind.ExportKeyword)
}

function beginsWithVerb(name: string): boolean {
  return VERBS.has(/^[a-z]+/.exec(name)?.[0] ?? '') && !/(Routes|Jobs)$/.test(name)
}

function share(all: readonly ExportedName[], holds: (one: ExportedName) => boolean): string {
  const count = all.filter(holds).length
  return `${count} (${((count / Math.max(1, all.length)) * 100).toFixed(1)} %)`
}

function listDuplicates(all: readonly ExportedName[]): (readonly [name: string, count: number])[] {
  return countNames(all).filter(([, count]) => count > 1)
}

function countNames(all: readonly ExportedName[]): (readonly [name: string, count: number])[] {
  const counts = Object.entries(Object.groupBy(all, ({ name }) => name)).map(
    ([name, of]) => [name, of?.length ?? 0] as const,
  )
  return counts.toSorted(([, one], [, other]) => other - one)
}

function countWords(all: readonly ExportedName[]): string {
  return countNames(all).map(formatCount).join(', ')
}

function formatCount([name, count]: readonly [name: string, count: number]): string {
  return `${name} ${count}`
}

async function countFolders(folder: string): Promise<number> {
  const files = await Array.fromAsync(new Glob('*/**/*.ts').scan(join(ROOT, folder)))
  return new Set(files.map(file => file.slice(0, file.indexOf('/')))).size
}

async function countLines(pattern: string): Promise<number> {
  let lines = 0
  for await (const file of new Glob(pattern).scan(ROOT))
    lines += (await Bun.file(join(ROOT, file)).text()).trimEnd().split('\n').length
  return lines
}

/** Codes of errors that have a Portuguese sentence in the sources of the server and one among the texts of the pages. */
async function compareErrorSentences(): Promise<{ readonly twice: number; readonly different: number }> {
  const server = new Map<string, string>()
  for await (const file of new Glob('backend/src/**/*.ts').scan(ROOT))
    for (const [, code = '', , text = ''] of (await Bun.file(join(ROOT, file)).text()).matchAll(
      /^\s*(ERR_\w+):\s*(['"])(.{8,})\2,?$/gm,
    ))
      server.set(code, text)
  const page = new Map<string, string>()
  for await (const file of new Glob('{ui,shell,mfe-*,cli}/locales/**/pt.json').scan(ROOT))
    for (const [, code = '', text = ''] of (await Bun.file(join(ROOT, file)).text()).matchAll(
      /"(ERR_\w+)":\s*"((?:[^"\\]|\\.)*)"/g,
    ))
      page.set(code, text)
  const both = [...server].filter(([code]) => page.has(code))
  return { twice: both.length, different: both.filter(([code, text]) => page.get(code) !== text).length }
}

function print(rows: readonly (readonly [figure: string, value: string | number])[]): void {
  const width = Math.max(...rows.map(([figure]) => figure.length))
  for (const [figure, value] of rows) console.log(`${figure.padEnd(width)}  ${value}`)
}
