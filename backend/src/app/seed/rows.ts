// The company itself: settings, people, queues, connections and what they answer with.
import { type Profile, type Settings, toSettingTexts } from '@balcao/contract'
import { questions } from '../../desk/bot-questions/table.ts'
import { sealConfig } from '../../desk/connections/config.ts'
import { connections } from '../../desk/connections/table.ts'
import { connectionQueues, queues, userQueues } from '../../desk/queues/table.ts'
import { quickAnswers } from '../../desk/quick-answers/table.ts'
import { tags } from '../../desk/tags/table.ts'
import { firstSteps } from '../../operations/first-steps/table.ts'
import type { Tx } from '../../platform/database/client.ts'
import { seal } from '../../platform/seal.ts'
import { settings } from '../../policy/settings/table.ts'
import { users } from '../../policy/users/table.ts'
import { COMPANY } from './company.ts'

/** What a person would enter for the Cloud API connection. */
export interface SeedCloud {
  readonly phoneNumberId: string
  readonly wabaId: string
  readonly token: string
  readonly number: string
}

export interface CompanyOptions {
  /** Settings that differ from their defaults. */
  readonly settings?: Partial<Settings>
  /** Without it there is only the phone's connection. */
  readonly cloud?: SeedCloud
}

export interface SeedPerson {
  readonly key: string
  readonly name: string
  readonly email: string
  readonly profile: Profile
  readonly queues: readonly string[]
  readonly emailHash: string
  readonly hash: string
}

export type Ids = Map<string, number>

/** The ids of everything that others name, by what they name it. */
export interface SeededIds {
  readonly users: Ids
  readonly queues: Ids
  readonly tags: Ids
  readonly connections: Ids
}

export async function seedCompany(
  tx: Tx,
  people: readonly SeedPerson[],
  dataKey: string,
  { cloud, settings: chosen = {} }: CompanyOptions,
): Promise<SeededIds> {
  const stored = toSettingTexts(chosen).map(([key, value]) => ({ key, value }))
  if (stored.length > 0) await tx.insert(settings).values(stored)
  await tx.insert(firstSteps).values({ overAt: new Date().toISOString() })
  await tx.insert(quickAnswers).values(COMPANY.quickAnswers)
  const team = people.map(({ name, email, emailHash: hashed, hash, profile }) => ({
    ...{ name, profile, emailSealed: seal(dataKey, email), emailHash: hashed, passwordHash: hash },
    delContact: profile === 'admin',
  }))
  const made = await tx.insert(users).values(team).returning({ id: users.id, emailHash: users.emailHash })
  const userIds = new Map(made.map(({ id, emailHash }) => [emailHash, id]))
  const known: SeededIds = {
    users: new Map(people.map(({ key, emailHash }) => [key, userIds.get(emailHash) ?? 0])),
    queues: idsByName(await tx.insert(queues).values(COMPANY.queues).returning()),
    tags: idsByName(await tx.insert(tags).values(COMPANY.tags).returning()),
    connections: idsByName(await seedConnections(tx, dataKey, cloud)),
  }
  await tx.insert(questions).values(
    COMPANY.questions.map(({ queue, ...question }, at) => ({
      ...question,
      queueId: queue === undefined ? null : getSeededId(known.queues, queue),
      position: at + 1,
    })),
  )
  for (const { key, queues: own } of people)
    await tx
      .insert(userQueues)
      .values(own.map(name => ({ userId: getSeededId(known.users, key), queueId: getSeededId(known.queues, name) })))
  for (const { name: connection, queues: own } of COMPANY.connections) {
    const whatsappId = known.connections.get(connection)
    if (whatsappId)
      await tx
        .insert(connectionQueues)
        .values(own.map(name => ({ whatsappId, queueId: getSeededId(known.queues, name) })))
  }
  return known
}

export function idsByName(rows: readonly { readonly id: number; readonly name: string }[]): Ids {
  return new Map(rows.map(({ id, name }) => [name, id]))
}

export function getSeededId(ids: Ids, name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The company has no ${name}`)
  return id
}

function seedConnections(tx: Tx, dataKey: string, cloud: CompanyOptions['cloud']) {
  const rows = COMPANY.connections.map(({ queues: _, ...row }) =>
    cloud && row.api === 'cloud_api' ? { ...row, ...toCloudColumns(dataKey, cloud) } : row,
  )
  return tx
    .insert(connections)
    .values(rows.filter(row => cloud || row.api !== 'cloud_api'))
    .returning()
}

export function toCloudColumns(dataKey: string, { phoneNumberId, wabaId, token: tokenMeta, number }: SeedCloud) {
  const config = { phoneNumberId, wabaId, tokenMeta, metaIntegration: true }
  return { number: number.replace(/\D/g, ''), config: sealConfig(dataKey, 'cloud_api', config) }
}
