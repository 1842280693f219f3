// What is watched at the terminal while the line breaks, comes back, or cannot tell all.
import { expect, test } from 'bun:test'
import { makePerson } from '../../backend/test/desk-world.ts'
import { startCable } from './cable.ts'
import { enterAs, startCompany } from './desk.ts'
import { CTRL_C, createMachine, runInTerminal, startInPipe } from './terminal.ts'

const company = await startCompany()
const { server, machine } = company
const { db } = server

const cable = await startCable(server.url)

test('a line that breaks is told, and when it is back; what was said meanwhile comes then', async () => {
  const { profiles } = await Bun.file(machine.profiles).json()
  const env = { BALCAO_URL: cable.url, BALCAO_TOKEN: String(profiles.loja.token) }
  using seen = runInTerminal(machine, ['tickets', 'watch'], { env })
  await seen.until('Acompanhando')
  cable.pull()
  const marina = await server.as('Marina')
  await marina.call('POST', `/messages/${company.tickets.served}`, { body: 'Dito enquanto caiu' })
  cable.putBack()
  await seen.until('A linha voltou.')
  await seen.until('Dito enquanto caiu')
  expect(seen.text()).toContain('! A linha caiu; tentando de novo.')
  seen.type(CTRL_C)
  expect([await seen.ended(), seen.isAsBefore()]).toEqual([130, true])
})

test('who is given other queues is told that something may be missing, and so is a program', async () => {
  const elisa = await makePerson(db, { name: 'Elisa', profile: 'user' })
  const elisas = await createMachine()
  await enterAs(server, elisas, 'Elisa')
  using seen = runInTerminal(elisas, ['tickets', 'watch'])
  await seen.until('Acompanhando')
  const program = startInPipe(elisas, ['tickets', 'watch', '--json'])
  const notes = program.stderr.pipeThrough(new TextDecoderStream()).getReader()
  expect((await notes.read()).value).toContain('Acompanhando')
  const marina = await server.as('Marina')
  const [queue] = await db.$client<{ id: number }[]>`select id from queue where name = 'Financeiro'`
  expect((await marina.call('PUT', `/users/${elisa}`, { queueIds: [queue?.id] })).status).toBe(200)
  await seen.until('! Algo pode não ter sido contado aqui.')
  const lines = program.stdout.pipeThrough(new TextDecoderStream()).getReader()
  expect(JSON.parse((await lines.read()).value ?? '')).toEqual({ event: 'gap' })
  program.kill('SIGINT')
  seen.type(CTRL_C)
  expect([await seen.ended(), await program.exited]).toEqual([130, 130])
  await elisas.leave()
})

test('the same while the line is down: both are said', async () => {
  const rita = await makePerson(db, { name: 'Rita', profile: 'user' })
  const ritas = await createMachine()
  await enterAs(server, ritas, 'Rita')
  const { profiles } = await Bun.file(ritas.profiles).json()
  const env = { BALCAO_URL: cable.url, BALCAO_TOKEN: String(profiles.loja.token) }
  using seen = runInTerminal(ritas, ['tickets', 'watch'], { env })
  await seen.until('Acompanhando')
  cable.pull()
  await seen.until('A linha caiu')
  const marina = await server.as('Marina')
  const [queue] = await db.$client<{ id: number }[]>`select id from queue where name = 'Financeiro'`
  expect((await marina.call('PUT', `/users/${rita}`, { queueIds: [queue?.id] })).status).toBe(200)
  cable.putBack()
  await seen.until('A linha voltou.')
  expect(seen.text()).toContain('! Algo pode não ter sido contado aqui.')
  seen.type(CTRL_C)
  expect(await seen.ended()).toBe(130)
  await ritas.leave()
})
