// The screens of a remote: one line each, whose code and words come when somebody goes there, each with a boundary of its own.
import { defineLatePart, RowSkeletons, useSkeleton } from '@balcao/ui/parts'
import { matchPath, useLocation } from '@balcao/ui/router'
import { type ComponentType, useLayoutEffect } from 'react'

type LoadScreen = () => Promise<{ readonly default: ComponentType }>

/** `ask` asks with `askAhead` what the screen will ask first. */
interface AskedScreen {
  readonly load: LoadScreen
  readonly ask: () => unknown
}

/** What is at which address; '/' is that address alone, any other one also what lies below it. */
type Screens = Readonly<Record<string, LoadScreen | AskedScreen>>

/** `preload` fetches the code of a screen before somebody goes there: who points at a link soon presses it. */
export type RemoteApp = ComponentType & { readonly preload?: (pathname: string) => Promise<unknown> }

/**
 * The app of a remote.
 *
 * @example export default createRemoteApp({ '/tags': { load: () => import('./tags/TagsPage.tsx'), ask: () => askAhead('GET /tag') } })
 */
export function createRemoteApp(screens: Screens): RemoteApp {
  const parts = Object.entries(screens).map(([path, screen]) => {
    const { load, ask } = typeof screen === 'function' ? { load: screen, ask: undefined } : screen
    return { path, ask, Screen: defineLatePart(load, 'inline', Waiting) }
  })

  // biome-ignore lint/correctness/noComponentHookFactories: made once for each remote, where its module is read
  function App() {
    const { pathname } = useLocation()
    const part = findPart(pathname)
    // A screen that is here asks by itself, in the same moment.
    useLayoutEffect(() => {
      if (part && !part.Screen.isHere()) part.ask?.()
    }, [part])
    return part ? <part.Screen key={part.path} /> : null
  }

  /** As the shell finds the page: whoever writes an address in other capitals gets it all the same. */
  function findPart(pathname: string) {
    return parts.find(({ path }) => matchPath({ path, end: path === '/' }, pathname) !== null)
  }

  return Object.assign(App, { preload: async (pathname: string) => findPart(pathname)?.Screen.fetch() })
}

function Waiting() {
  return useSkeleton(true) ? <RowSkeletons /> : null
}
