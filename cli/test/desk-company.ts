// A company, a machine on which its administrator is signed in, and one on which nobody is.
import { afterAll } from 'bun:test'
import { startCompany } from './desk.ts'
import { createMachine, runInPipe } from './terminal.ts'

export async function startDeskCompany() {
  const company = await startCompany()
  const { server, machine } = company
  const { url, db } = server
  /** A second machine, on which nobody is signed in. */
  const other = await createMachine()

  afterAll(() => other.leave())
  const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`)
  const say = (...words: string[]) => runInPipe(machine, words)

  return { company, server, machine, url, db, other, COLOUR, say }
}
