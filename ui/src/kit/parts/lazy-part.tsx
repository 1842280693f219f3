import { type ComponentType, lazy, useState } from 'react'
import { withTexts } from '../../i18n/core.ts'
import { Boundary, type FailurePlace } from './Boundary.tsx'

/**
 * As React's `lazy`, with a boundary of its own: what cannot be loaded, or breaks, is said in its place and tried again there.
 * It suspends as `lazy` does, until its texts are there too.
 *
 * @example const ChatScreen = defineLazyPart(() => import('../chats/ChatScreen.tsx'))
 */
export function defineLazyPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  place: FailurePlace = 'inline',
) {
  const loadWhole = async () => withTexts(await load())
  let Loaded: ComponentType<Props> = lazy(loadWhole)

  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, where its module is read, as with `lazy`
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props>>(() => Loaded)
    function retry() {
      // One that was refused stays refused.
      Loaded = lazy(loadWhole)
      setPart(() => Loaded)
    }
    return (
      <Boundary place={place} onRetry={retry}>
        <Part {...props} />
      </Boundary>
    )
  }
}
