// The queues, with who is in them and what they have to do.
import en from '../../locales/queues/en.json'
import es from '../../locales/queues/es.json'
import pt from '../../locales/queues/pt.json'
import { defineCommand } from '../kit/command.ts'

export const queues = defineCommand({
  name: 'queues',
  texts: { pt, en, es },
  async run({ out, t, desk, during }) {
    const { api } = await desk()
    const found = await during(t('asking'), api('GET /queue'))
    out.answer({ queues: found }, () => {
      if (found.length === 0) return out.line(t('none'))
      out.table(found, [
        { title: t('name'), of: row => row.name, gives: true, tone: () => 'strong' },
        { title: t('people'), of: row => row.users, right: true },
        { title: t('open'), of: row => row.open, right: true },
        { title: t('turns'), of: row => row.queuesUser.map(({ name }) => name).join(', '), gives: true },
        { title: 'id', of: row => row.id, right: true, tone: () => 'muted' },
      ])
    })
  },
})
