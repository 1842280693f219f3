// `npm run digest`: what was not understood is read again by this version. The desk may run meanwhile, or not.
import { digestAgain } from '../messaging/inbox/again.ts'
import { withDatabaseHere } from '../platform/database/here.ts'
import { openNotices } from '../platform/database/notices.ts'
import { orSay } from '../platform/starting.ts'

const { looked, understood } = await orSay(() =>
  withDatabaseHere(process.env, async ({ db }) => {
    const notices = openNotices(db)
    const read = await digestAgain(db)
    // Whoever runs on it shows what changed, and fetches the files that came to light.
    await notices.send('live', '')
    await notices.send('connection', '')
    await notices.close()
    return read
  }),
)
console.log(`${looked} were read again, ${understood} of them are understood now.`)
process.exit(0)
