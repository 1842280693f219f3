// A desk that other programs call with their tokens.
import { expect } from 'bun:test'
import { API_SCOPES, type ApiToken } from '@balcao/contract'
import { createBrowser, startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson, makeQueue } from './desk-world.ts'

export type TokenWithSecret = ApiToken & { readonly token: string }

/** With a connection, two queues, and Marina, who administers it; what is scheduled is let in. */
export async function startProgramDesk(jobs?: Parameters<typeof startDeskServer>[1]) {
  const server = await startDeskServer({}, jobs)
  const { db, url } = server
  const sql = db.$client
  const [sales, finance] = [await makeQueue(db, 'Vendas'), await makeQueue(db, 'Financeiro')]
  const whatsappId = await makeConnection(db, 'Loja Centro')
  await sql`update whatsapp set is_default = true`
  await sql`insert into setting (key, value) values ('allowAgendador', 'enabled') on conflict (key) do update set value = 'enabled'`
  const marinaId = await makePerson(db, { name: 'Marina', profile: 'admin', queueIds: [sales] })
  const marina = await server.as('Marina')
  let names = 0

  /** Marina adds a token that opens everything, unless the form says otherwise. */
  async function addToken(form: object): Promise<TokenWithSecret> {
    const body = { name: `Loja ${++names}`, scopes: API_SCOPES, perMinute: 600, ...form }
    const made = await marina.call<TokenWithSecret & { error?: string }>('POST', '/integrations/tokens', body)
    expect([made.status, made.body.error]).toEqual([201, undefined])
    return made.body
  }

  /** What a program is answered; `text`: all of it. */
  async function call<T>(token: string, ...[method, path, body, headers]: Parameters<typeof marina.call>) {
    const program = createBrowser(url)
    program.token = token
    const answer = await program.call<T>(method, path, body, headers)
    return { ...answer, text: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body) }
  }

  return { ...server, sql, sales, finance, whatsappId, marinaId, marina, addToken, call }
}
