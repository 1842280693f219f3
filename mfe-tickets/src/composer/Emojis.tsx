import { useTexts } from '@balcao/ui/i18n'
import { useOverlay } from '@balcao/ui/parts'
import { useRef } from 'react'

const EMOJIS = [
  ...'😀😁😂🤣😊😇🙂😉😍😘😋😎🤔😅😬🙄😴😢😭😡😱🤗🤝👍👎👌🙏👏💪👋✌️🤞🎉🎂🎁❤️💙💚💛🔥⭐✅❌⚠️📌📎📦🚚💰💳🧾📅⏰📞📍🏠'.matchAll(
    /\p{Extended_Pictographic}\uFE0F?/gu,
  ),
].map(found => found[0])

interface EmojisProps {
  readonly onChoose: (emoji: string) => void
  readonly onClose: () => void
}

/** A small box of signs people use at work; the system's own picker has the rest. */
export default function Emojis({ onChoose, onClose }: EmojisProps) {
  const t = useTexts('tickets')
  const panel = useRef<HTMLFieldSetElement>(null)
  useOverlay(panel, { onClose, outside: true })
  return (
    <fieldset ref={panel} className="k-emojis" aria-label={t('composer.emoji')}>
      {EMOJIS.map(emoji => (
        <button key={emoji} type="button" onClick={() => onChoose(emoji)}>
          {emoji}
        </button>
      ))}
    </fieldset>
  )
}
