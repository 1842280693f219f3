// `npm run digest`: what was not understood is read again by this version. The desk may run meanwhile, or not.
import { reprocessEvents } from '../messaging/inbox/reprocess.ts'
import { runWithInstallation } from '../platform/database/installation.ts'
import { openNotices } from '../platform/database/notices.ts'
import { exitWithMessage } from '../platform/starting.ts'

const { looked, understood } = await exitWithMessage(() =>
  runWithInstallation(process.env, async ({ db }) => {
    const notices = openNotices(db)
    const read = await reprocessEvents(db)
    // Whoever runs on it shows what changed, and fetches the files that came to light.
    await notices.send('live', '')
    await notices.send('connection', '')
    await notices.close()
    return read
  }),
)
console.log(`${looked} were read again, ${understood} of them are understood now.`)
process.exit(0)
