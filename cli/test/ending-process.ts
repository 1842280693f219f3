// A command that is stopped while it removes what must not stay, for longer than anything else is waited for.
import { takeEnding } from '../src/kit/ending.ts'

const ending = takeEnding({ waits() {}, unsure() {} })
ending.onEnd(
  async () => {
    await Bun.sleep(10_500)
    console.log('removed')
  },
  () => console.log('removing'),
)
console.log('begun')
setInterval(() => undefined, 1000)
