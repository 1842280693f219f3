// A desk with a flow of Typebot on a phone and on the official API.
import { afterAll } from 'bun:test'
import { createTypebotTask } from '../src/messaging/typebot/turn.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { freePort } from './desk-process.ts'
import { startDeskServer } from './desk-server.ts'
import { makePerson, makeQueue } from './desk-world.ts'
import { makeFlowFixture, startTypebot } from './typebot-world.ts'

/** So short that a test sees its end. */
export const PATIENCE = { call: 4000, files: 4000, retries: [20, 20], end: 200 }

export async function startTypebotDesk() {
  const typebot = startTypebot()

  afterAll(() => typebot.stop())
  const [port, nobody] = [await freePort(), await freePort()]
  const env = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ALLOW_PRIVATE_HOSTS: `${typebot.host}, 127.0.0.1:${nobody}`,
  }
  /** In place of the process's own: it is to end. */
  let ending: AbortSignal | undefined
  const server = await startDeskServer(env, parts => {
    const task = createTypebotTask(parts, PATIENCE)
    return [
      {
        kind: 'typebot',
        crew: 'flow',
        work: (payload, helpers) => task(payload, { ...helpers, abortSignal: ending ?? helpers.abortSignal }),
      },
    ]
  })
  const { db } = server
  const sql = getSql(db)
  const world = await makeFlowFixture(db, typebot)
  const official = await makeFlowFixture(db, typebot, 'cloud_api')
  await makeQueue(db, 'Financeiro')
  await makeQueue(db, 'Vendas')
  const marinaId = await makePerson(db, { name: 'Marina', profile: 'admin' })
  const marina = await server.as('Marina')
  function setEnding(signal: AbortSignal | undefined): void {
    ending = signal
  }

  /** What the flow was told last. */
  const lastCall = () => typebot.calls.at(-1)
  const callsOf = (text: string) => typebot.calls.filter(({ body }) => JSON.stringify(body).includes(text)).length

  return { typebot, nobody, server, db, sql, world, official, marinaId, marina, setEnding, lastCall, callsOf }
}
