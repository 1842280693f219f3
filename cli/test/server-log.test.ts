// What the server says to who starts it by hand.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { buildCommand } from '@balcao/simulator/processes'
import { createTestDatabase } from '../../backend/test/database.ts'
import { freePort } from '../../backend/test/desk-process.ts'
import { createMachine, runInTerminal } from './terminal.ts'

test('on a terminal its lines are for people, and what is shown only now stands apart', async () => {
  const { url: databaseUrl } = await createTestDatabase()
  const machine = await createMachine()
  const env = {
    ...machine.env,
    PORT: String(await freePort()),
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(machine.folder, 'data'),
    LOG_LEVEL: 'info',
  }
  using server = runInTerminal({ ...machine, env }, [], { program: buildCommand('backend/src/main.ts'), columns: 120 })
  await server.until('First sign-in')
  server.kill('SIGTERM')
  expect(await server.ended()).toBe(143)
  await machine.leave()

  const lines = server.text().split('\n')
  expect(lines.join('\n')).not.toMatch(/"level"|undefined|maxPoolSize/)
  expect(lines.filter(line => line.startsWith('{'))).toEqual([])
  expect(lines).toContainEqual(expect.stringMatching(/^\[?\d\d:\d\d:\d\d\]? INFO/))
  const at = lines.findIndex(line => line.includes('First sign-in'))
  expect([lines[at - 1], lines[at]?.slice(0, 2), lines[at + 1]]).toEqual(['', '  ', ''])
})
