// Databases that are cloned from a template: to make the tables anew takes a second and a half of a core.
import postgres from 'postgres'

/** Makes a template once per server; several test processes may ask at the same time. */
export async function makeTemplate(
  server: string,
  name: string,
  fill: (url: string) => Promise<unknown>,
): Promise<void> {
  await runOnServer(server, async sql => {
    await sql`select pg_advisory_lock(7114002)`
    const [known] = await sql`select datistemplate from pg_database where datname = ${name}`
    if (known?.datistemplate) return
    await sql.unsafe(`drop database if exists ${name} with (force)`)
    await sql.unsafe(`create database ${name}`)
    await fill(toDatabaseUrl(server, name))
    await sql.unsafe(`alter database ${name} is_template true`)
  })
}

/** The end of `create database`. Files are copied as they are: through the log, as by default, it takes more than twice as long. */
export function cloneTemplate(name: string): string {
  return `template ${name} strategy file_copy`
}

export async function runOnServer<T>(url: string, body: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await body(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

export function toDatabaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
