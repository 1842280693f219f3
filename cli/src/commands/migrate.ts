// Brings the database to this version before the server is started with it: only on the server's machine.
import en from '../../locales/migrate/en.json'
import es from '../../locales/migrate/es.json'
import pt from '../../locales/migrate/pt.json'
import { defineCommand } from '../kit/command.ts'

export const migrate = defineCommand({
  name: 'migrate',
  texts: { pt, en, es },
  onServer: true,
  async run({ out, t, env, during }) {
    const { migrateInstallation } = await import('@balcao/backend/platform/database/migrate-installation')
    const done = await during(t('migrating'), migrateInstallation(env))
    out.answer(done, () => out.done(t('done', { count: done.applied, total: done.migrations })))
  },
})
