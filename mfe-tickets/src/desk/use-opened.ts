import { type ApiError, isApiError } from '@balcao/ui/api'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { toast } from '@balcao/ui/parts'
import { useEffect, useEffectEvent, useRef } from 'react'

interface OpenedOptions {
  /** Asks for it, into the store. */
  readonly fetch: (id: number) => Promise<void>
  /** Back to the list. */
  readonly leave: () => void
  /** The text for one that may not be seen. */
  readonly refused: string
  /** The texts for one that was there until now: that a colleague took it is news, not a failure. */
  readonly gone: Readonly<Partial<Record<ApiError['code'], string>>>
}

/**
 * What the address names: from the store, else fetched. What is refused, missing, deleted or moved out of sight leads back to the list,
 * and says why (spec 1 §6, §4 "List behaviour").
 */
export function useOpened(id: number | null, isKnown: boolean, options: OpenedOptions) {
  const t = useTexts('tickets')
  const had = useRef<number | null>(null)
  const fetch = useEffectEvent(options.fetch)
  const tell = useEffectEvent((error: unknown, wasThere: boolean) => {
    const news = isApiError(error) && wasThere ? options.gone[error.code] : undefined
    if (news) toast.info(t(news))
    else toast.error(isApiError(error, 'ERR_NO_PERMISSION') ? t(options.refused) : describeError(error))
    options.leave()
  })

  useEffect(() => {
    if (isKnown) had.current = id
  }, [isKnown, id])

  useEffect(() => {
    if (isKnown || id === null) return
    const wasThere = had.current === id
    let left = false
    const ask = () => void fetch(id).catch((error: unknown) => left || tell(error, wasThere))
    ask()
    // With a reset no answer that is on its way counts any more.
    const stop = live.onReset(ask)
    return () => {
      left = true
      stop()
    }
  }, [isKnown, id])
}
