import type { Message } from '@balcao/contract'
import { describeError } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { useEffect, useEffectEvent, useState } from 'react'
import { view } from '../desk/view.ts'
import type { Pictures } from './use-pictures.ts'

export type PictureStep = -1 | 1

/** Goes to the picture beside the one that stands `at`; where it is not here yet, as soon as it came. Pressed meanwhile it goes no further; the other way ends the waiting. */
export function usePictureSteps(pictures: Pictures, at: number) {
  const [awaited, setAwaited] = useState<PictureStep | null>(null)
  const { pictures: all, isToOldest, isToNewest, busy, error } = pictures

  const hasNext = (step: PictureStep) =>
    at !== -1 && (all[at + step] !== undefined || !(step === -1 ? isToOldest : isToNewest))

  function go(step: PictureStep) {
    if (awaited === step || !hasNext(step)) return
    const next = all[at + step]
    setAwaited(next ? null : step)
    if (next) showPicture(next)
    else pictures.extend(step)
  }

  const walk = useEffectEvent((step: PictureStep) => {
    const next = all[at + step]
    if (next) showPicture(next)
    else if (hasNext(step) && error === null) return pictures.extend(step)
    else if (error !== null) toast.error(describeError(error), { key: 'viewer' })
    setAwaited(null)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever something came
  useEffect(() => {
    if (awaited !== null && !busy) walk(awaited)
  }, [awaited, busy, all, isToOldest, isToNewest])

  return { go, hasNext, awaited }
}

export function showPicture({ id }: Message) {
  if (view.viewer) view.viewer = { ...view.viewer, messageId: id }
}
