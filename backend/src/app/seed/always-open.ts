// For tests, benchmarks and the demo: a company that never closes. What is said there by itself must not hang on the hour it runs at.
import { type Settings, toSettingTexts } from '@balcao/contract'
import { closeDatabase, openDatabase } from '../../platform/database/client.ts'
import { settings } from '../../policy/settings/table.ts'

export const ALWAYS_OPEN: Partial<Settings> = {
  saturday: true,
  sunday: true,
  holidays: true,
  horarioAbertura: 0,
  horarioFechamento: 0,
  horarioFimAlmoco: 0,
}

/** Opens the company of a migrated database round the clock. */
export async function removeWorkingHours(url: string): Promise<void> {
  const db = openDatabase(url, { max: 1 })
  try {
    const rows = toSettingTexts(ALWAYS_OPEN).map(([key, value]) => ({ key, value }))
    await db.insert(settings).values(rows).onConflictDoNothing()
  } finally {
    await closeDatabase(db)
  }
}
