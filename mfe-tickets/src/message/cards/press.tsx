// What can be pressed on a card: a link away from the page, and something to copy.

import { toButtonHref } from '@balcao/contract/messages/message-bodies'
import { copyToClipboard } from '@balcao/ui/browser'
import { getTexts, useTexts } from '@balcao/ui/i18n'
import { Icon, toast } from '@balcao/ui/parts'
import { Check, Copy, ExternalLink } from 'lucide-react'
import { useEffect, useState } from 'react'

/** A link of somebody else's, if it is one that may be followed; otherwise its words alone. */
export function CardLink({ href, children }: { readonly href: string; readonly children: string }) {
  const safe = toButtonHref(href)
  if (!safe) return <span className="m-press is-still">{children}</span>
  return (
    <a className="m-press" href={safe} target="_blank" rel="noopener noreferrer nofollow">
      {children}
      {!safe.startsWith('tel:') && <Icon of={ExternalLink} size={14} />}
    </a>
  )
}

const SAID_MS = 2000

interface CopyButtonProps {
  /** What goes to the clipboard. */
  readonly text: string
  readonly children: string
}

/** Says in its own place that it is copied. */
export function CopyButton({ text, children }: CopyButtonProps) {
  const t = useTexts('tickets')
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    if (await copyToClipboard(text)) setCopied(true)
    else toast.error(getTexts('ui')('copyFailed'))
  }
  return (
    <button type="button" className="m-press" onClick={() => void copy()}>
      <Icon of={copied ? Check : Copy} size={14} />
      <span aria-live="polite">{copied ? t('card.copied') : children}</span>
    </button>
  )
}
