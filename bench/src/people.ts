// People of the benchmarks, with tokens written straight into the database: signing in thousands of times would measure password hashing.
import { randomBytes } from 'node:crypto'
import { hashEmail, hashToken, seal } from '@balcao/backend/platform/seal'
import type { Profile } from '@balcao/contract'
import type postgres from 'postgres'

/** The key e-mails are sealed with: the measured server is started with the same. */
export const DATA_KEY = randomBytes(16).toString('hex')

export interface BenchPerson {
  readonly id: number
  readonly profile: Profile
  readonly family: string
}

/** Makes people who are signed in on one device each; each attendant has a queue of the own, so each is an audience. */
export async function makePeople(sql: postgres.Sql, count: number, profile: Profile): Promise<BenchPerson[]> {
  const people: BenchPerson[] = []
  for (let n = 0; n < count; n++) {
    const mark = randomBytes(6).toString('hex')
    const email = `${mark}@balcao.example`
    const family = crypto.randomUUID()
    const [user] = await sql<{ id: number }[]>`
      insert into "user" (name, email_sealed, email_hash, password_hash, profile) values (${`Pessoa ${mark}`}, ${seal(DATA_KEY, email)}, ${hashEmail(DATA_KEY, email)}, 'none', ${profile}) returning id`
    const id = user?.id ?? 0
    await sql`
      insert into refresh_token (user_id, family, hash, expires_at) values (${id}, ${family}, ${hashToken(family)}, now() + interval '1 day')`
    if (profile !== 'admin')
      await sql`
        with made as (insert into queue (name, color) values (${`Fila ${mark}`}, ${`#${mark.slice(0, 6)}${id}`}) returning id)
        insert into user_queue (user_id, queue_id) select ${id}, id from made`
    people.push({ id, profile, family })
  }
  return people
}

/** Socket tokens, good once within a minute. */
export async function createSocketTokens(sql: postgres.Sql, people: readonly BenchPerson[]): Promise<string[]> {
  const tokens = people.map(person => ({ token: randomBytes(24).toString('base64url'), person }))
  await sql`
    insert into socket_token (hash, user_id, family, expires_at)
    select x.hash, x.user_id, x.family, now() + interval '60 seconds' from jsonb_to_recordset(${JSON.stringify(
      tokens.map(({ token, person }) => ({ hash: hashToken(token), user_id: person.id, family: person.family })),
    )}::text::jsonb) as x(hash text, user_id int, family text)`
  return tokens.map(({ token }) => token)
}
