import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { schema } from './schema.ts'

export type Db = PostgresJsDatabase<typeof schema> & { readonly $client: postgres.Sql }
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** Opens a pool on a database. `onnotice` is silent: notices are not for logs. */
export function openDatabase(url: string, options: { max?: number } = {}): Db {
  const client = postgres(url, { max: options.max ?? 10, onnotice: () => {}, types: {} })
  return drizzle(client, { schema, casing: 'snake_case' })
}

export async function closeDatabase(db: Db): Promise<void> {
  await db.$client.end({ timeout: 5 })
}
