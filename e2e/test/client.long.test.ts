// The client where there is no browser: as the terminal uses it, in plain Node and in Bun, against the real server.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from '@balcao/client/session'
import { startDeskServer } from '../../backend/test/desk-server.ts'
import { makePerson, makeQueue, PASSWORD, toEmail } from '../../backend/test/desk-world.ts'

const SOURCE = join(import.meta.dir, '../src/terminal.ts')
const server = await startDeskServer()
let folder = ''
let bundle = ''

beforeAll(async () => {
  await makeQueue(server.db, 'Financeiro')
  await makePerson(server.db, { name: 'Marina', profile: 'admin' })
  folder = await mkdtemp(join(tmpdir(), 'balcao-client-'))
  bundle = join(folder, 'terminal.mjs')
  const built = await Bun.build({ entrypoints: [SOURCE], target: 'node', format: 'esm' })
  await Bun.write(bundle, await (built.outputs[0] ?? new Blob()).text())
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the client without a browser', () => {
  for (const [name, command] of [
    ['Node', () => ['node', bundle]],
    ['Bun', () => [process.execPath, SOURCE]],
  ] as const)
    test(`in ${name}: signs in, is refused with a code, hears what happens, and again after the line broke`, async () => {
      const marina = await signIn(server.url, { email: toEmail('Marina'), password: PASSWORD })
      const terminal = runTerminal(command())
      await terminal.until('line live')
      const make = (tag: string) => marina.api('POST /tag', { body: { name: `${tag} ${name}`, color: '#2C53A4' } })
      await make('urgente')
      await terminal.until(`tag urgente ${name}`)
      terminal.write('cut')
      await terminal.until('line offline')
      await make('retorno')
      await terminal.until(`tag retorno ${name}`)
      terminal.write('end')
      await terminal.until('signed out')
      expect([await terminal.exited, terminal.lines.filter(line => !line.startsWith('line'))]).toEqual([
        0,
        [
          'sign-in ERR_INVALID_CREDENTIALS',
          'user Marina',
          'queues Financeiro',
          'ticket ERR_NO_TICKET_FOUND 404',
          `tag urgente ${name}`,
          `tag retorno ${name}`,
          'signed out',
        ],
      ])
    })
})

/** The terminal as a process of its own, and what it has said so far. */
function runTerminal(command: readonly string[]) {
  const child = Bun.spawn([...command, server.url, toEmail('Marina'), PASSWORD], { stdin: 'pipe', stdout: 'pipe' })
  const lines: string[] = []
  const target = new EventTarget()
  let heard = 0
  const read = async () => {
    let rest = ''
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
      const pieces = (rest + part).split('\n')
      rest = pieces.pop() ?? ''
      lines.push(...pieces)
      target.dispatchEvent(new Event('lines'))
    }
    target.dispatchEvent(new Event('lines'))
  }
  const over = read()
  return {
    lines,
    exited: child.exited,
    write(word: string) {
      void child.stdin.write(`${word}\n`)
      void child.stdin.flush()
    },
    /** Resolves when it says this, after what was waited for before; fails when the process is over without it. */
    async until(line: string) {
      while (lines.indexOf(line, heard) === -1) {
        const more = new Promise(resolve => target.addEventListener('lines', resolve, { once: true }))
        if ((await Promise.race([more, over.then(() => 'over')])) === 'over' && !lines.includes(line, heard))
          throw new Error(`It never said "${line}", but:\n${lines.join('\n')}`)
      }
      heard = lines.indexOf(line, heard) + 1
    },
  }
}
