// Every screen, dialog and state, and how to get there. A new one is one entry in the file of its area in `screens/`, and a new area is a
// file there; the gallery and the accessibility test both read this.
import { Glob } from 'bun'
import type { Screen } from './stage.ts'

/** What a file of `screens/` has: lists of screens, and steps that others take too. */
type AreaModule = Readonly<Record<string, readonly Screen[] | (() => unknown)>>

const AREAS = `${import.meta.dir}/screens`
/** The areas that agents see, as they come by them. */
const AGENT_AREAS = ['sign-in', 'frame', 'desk', 'conversation', 'composer', 'dialogs', 'further', 'chats']

const others = [...new Glob('*.ts').scanSync(AREAS)]
  .map(file => file.replace('.ts', ''))
  .filter(area => !AGENT_AREAS.includes(area))
  .sort()

/** What agents see. */
export const ATTENDANCE = await loadScreens(AGENT_AREAS)

/** What managers and administrators see besides, and the simulator. */
export const ADMINISTRATION = await loadScreens(others)

export const SCREENS: readonly Screen[] = [...ATTENDANCE, ...ADMINISTRATION]

async function loadScreens(areas: readonly string[]): Promise<Screen[]> {
  const modules: AreaModule[] = await Promise.all(areas.map(area => import(`${AREAS}/${area}.ts`)))
  return modules.flatMap(area =>
    Object.values(area)
      .filter(part => typeof part !== 'function')
      .flat(),
  )
}
