// Puts the company of the demo and of the browser tests into an empty database.
import { randomBytes } from 'node:crypto'
import type { Profile } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import { refreshDue } from '../../desk/tickets/answer-due.ts'
import { refreshCalendar } from '../../insight/figures/calendar.ts'
import { countMessages } from '../../insight/figures/messages.ts'
import { readConfig } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { hashEmail } from '../../platform/seal.ts'
import { hashPassword } from '../../policy/sessions/sign-in.ts'
import { users } from '../../policy/users/table.ts'
import { COMPANY, type SeedScene } from './company.ts'
import { seedFiles } from './files.ts'
import { type CompanyOptions, type SeededIds, type SeedPerson, seedCompany } from './rows.ts'
import { seedScene } from './scene.ts'

export interface DemoAccount {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly profile: Profile
}

export interface SeedOptions extends CompanyOptions {
  readonly dataDir: string
  /** Instead of a company on its first day one that has worked before. */
  readonly past?: PastCompany
}

export interface PastCompany {
  readonly people: typeof COMPANY.people
  /** What its people have on their desks besides. */
  readonly scene?: SeedScene
  /** Fills empty tables, but for the sums of figures. */
  readonly load: (tx: Tx, people: readonly SeedPerson[], dataKey: string, options: SeedOptions) => Promise<SeededIds>
}

/**
 * Fills an empty database; on one that has people already it changes nothing but gives them fresh passwords, so that the demo can
 * always say how to sign in. Passwords are random: none stands in the code.
 */
export async function seedDemo(db: Db, options: SeedOptions): Promise<DemoAccount[]> {
  const { dataKey } = readConfig({ ...process.env, DATA_DIR: options.dataDir })
  const people = await Promise.all((options.past ?? COMPANY).people.map(person => createAccount(dataKey, person)))
  const files = await seedFiles(db, options.dataDir)
  await db.transaction(async tx => {
    if ((await tx.$count(users)) === 0) {
      const seedBefore = options.past?.load ?? seedCompany
      return seedScene(tx, await seedBefore(tx, people, dataKey, options), files, options.past?.scene)
    }
    for (const { emailHash: known, hash } of people)
      await tx.update(users).set({ passwordHash: hash }).where(eq(users.emailHash, known))
  })
  if (options.past) await countFigures(db)
  return people.map(({ name, email, password, profile }) => ({ name, email, password, profile }))
}

/** As the server does when it starts and every quarter of an hour: who signs in first sees all figures. */
async function countFigures(db: Db): Promise<void> {
  const now = new Date()
  await refreshCalendar(db, now)
  await countMessages(db, now)
  await refreshDue(db)
}

type Account = SeedPerson & { readonly password: string }

async function createAccount(dataKey: string, person: (typeof COMPANY)['people'][number]): Promise<Account> {
  const password = newPassword()
  return { ...person, password, emailHash: hashEmail(dataKey, person.email), hash: await hashPassword(password) }
}

/** Easy to type, hard to guess: the policy's four classes of characters are all there. */
function newPassword(): string {
  return `Demo-${randomBytes(4).toString('hex')}7`
}
