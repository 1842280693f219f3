// A server's own database, for a moment.
import postgres from 'postgres'

export async function runOnServer<T>(
  url: string,
  work: (sql: postgres.Sql) => Promise<T> | PromiseLike<T>,
): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 2 })
  }
}
