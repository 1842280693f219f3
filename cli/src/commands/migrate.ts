// Brings the database to this version before the server is started with it: only on the server's machine.
import en from '../../locales/migrate/en.json'
import es from '../../locales/migrate/es.json'
import pt from '../../locales/migrate/pt.json'
import { command } from '../kit/command.ts'

export const migrate = command({
  name: 'migrate',
  texts: { pt, en, es },
  onServer: true,
  async run({ out, t, env, during }) {
    const { migrateHere } = await import('@balcao/backend/platform/database/migrate-here')
    const done = await during(t('migrating'), migrateHere(env))
    out.answer(done, () => out.done(t('done', { count: done.applied, total: done.migrations })))
  },
})
