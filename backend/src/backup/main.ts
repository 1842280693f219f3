// `npm run backup -- create [file] | verify <file> | restore <file>`: on the server's machine, with its environment.
import { parseArgs } from 'node:util'
import { ConfigError } from '../config-error.ts'
import { NoDatabaseHere } from '../database/folder.ts'
import { BackupFault } from './fault.ts'
import type { Progress } from './format.ts'
import { type Asked, createHere, restoreHere, verifyHere } from './here.ts'

const USAGE = `npm run backup -- create [file]    writes a backup, into BACKUP_DIR or this folder unless a file is named
npm run backup -- verify <file>    restores it into a scratch database and compares
npm run backup -- restore <file>   into an empty database and an empty DATA_DIR/media
  --key-file <file>                its key, else BALCAO_BACKUP_KEY; without one it is not encrypted`

const COMMANDS: Readonly<Record<string, (asked: Asked) => Promise<void>>> = { create, verify, restore }
const TELL_MS = 2000
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort(new Error(signal)))

process.exit(await run(process.argv.slice(2)))

async function run(words: string[]): Promise<number> {
  try {
    const { positionals, values } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { 'key-file': { type: 'string' } },
    })
    const [name = '', file = '', ...more] = positionals
    const command = COMMANDS[name]
    if (!command || more.length > 0 || (file === '' && command !== create)) return wrongUse()
    await command({ file, keyFile: values['key-file'], signal: ending.signal, progress: teller() })
    return 0
  } catch (error) {
    if (ending.signal.aborted) {
      console.error('Ended; nothing of it is left.')
      return 130
    }
    if (error instanceof TypeError && 'code' in error) return wrongUse()
    if (!(error instanceof BackupFault || error instanceof ConfigError || error instanceof NoDatabaseHere)) throw error
    console.error(error.message)
    return 1
  }
}

function wrongUse(): number {
  console.error(USAGE)
  return 2
}

async function create({ file, ...asked }: Asked): Promise<void> {
  const made = await createHere(process.env, file === '' ? asked : { file, ...asked })
  const { files } = made.manifest
  console.log(`${made.where}: ${made.rows} rows, ${files.count} files, ${made.bytes} bytes, as of ${made.at}`)
  if (!made.encrypted)
    console.log('It is not encrypted, and so without the secrets: keep a copy of DATA_KEY beside it.')
  if (files.missing.length > 0) console.error(`Files that are not there: ${files.missing.join(' ')}`)
  if (files.damaged.length > 0) console.error(`Files that are not what was stored: ${files.damaged.join(' ')}`)
}

async function verify(asked: Asked): Promise<void> {
  const { at, version, manifest } = await verifyHere(process.env, asked)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const what = `${rows} rows in ${manifest.tables.length} tables, ${manifest.files.count} files`
  console.log(`Good: as of ${at}, version ${version}, ${what}`)
}

async function restore(asked: Asked): Promise<void> {
  const { at, calmed, replaced, strangers } = await restoreHere(process.env, asked)
  const lines = [
    `${calmed.connections} connections rest until an administrator takes them up again, with the old server off`,
    `${calmed.unsure} messages may or may not have gone out, and say so in their conversations`,
    `${calmed.sends} sends stopped, ${calmed.schedules} scheduled ones are paused, ${calmed.jobs} long jobs ended`,
    `${calmed.flows} conversations with a Typebot wait for the team`,
    `${calmed.erasures} erasures of people are held back: they may have been undone since`,
    ...(calmed.idleClosing
      ? ['closing idle conversations and giving out those that wait are switched off: all of them have waited']
      : []),
    ...(replaced === null ? [] : [`the secrets that were here before are in ${replaced}`]),
    ...(strangers.length > 0 ? [`left out, because none of Balcão's: ${strangers.join(', ')}`] : []),
  ]
  console.log(`Restored: as of ${at}. Everybody signs in anew, and nothing goes out by itself:`)
  for (const line of lines) console.log(`  ${line}`)
}

/** A line every two seconds at most. */
function teller(): (progress: Progress) => void {
  let told = Number.NEGATIVE_INFINITY
  return ({ step, name, bytes, of }) => {
    if (performance.now() - told < TELL_MS) return
    told = performance.now()
    const share = of === null ? `${(bytes / 1e6).toFixed(0)} MB` : `${((bytes / of) * 100).toFixed(0)} %`
    console.error(`  ${step}${name === undefined ? '' : ` ${name}`} · ${share}`)
  }
}
