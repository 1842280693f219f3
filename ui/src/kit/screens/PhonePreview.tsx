import { joinClasses } from '@balcao/ui/parts'
import { type ReactNode, useEffect, useRef } from 'react'

interface PhonePreviewProps {
  /** 'Como chega', 'Experimente · nada sai para clientes'. */
  readonly label: string
  /** At the top of the phone: the company. */
  readonly name: string
  readonly messages: readonly {
    readonly id: string | number
    /** Ours stand at the left, the customer's own at the right: it is the customer's phone. */
    readonly isOurs: boolean
    readonly text: ReactNode
    readonly time?: string
    /** The one it is about now. */
    readonly isMarked?: boolean
  }[]
  /** Above: a choice of contact, 'Recomeçar'. */
  readonly tools?: ReactNode
  /** Below: where one tries what a customer would write. */
  readonly children?: ReactNode
}

/** What a customer sees, on a phone of 316. */
export function PhonePreview({ label, name, messages, tools, children }: PhonePreviewProps) {
  const list = useRef<HTMLOListElement>(null)
  const many = messages.length
  // As on a phone: what was said last is in sight.
  useEffect(() => {
    if (many > 0 && list.current) list.current.scrollTop = list.current.scrollHeight
  }, [many])
  return (
    <section aria-label={label} className="w-[316px] max-w-full">
      <div className="mb-2 flex min-h-9 items-center justify-between gap-2 text-cell text-text-2">
        <span>{label}</span>
        {tools}
      </div>
      <div className="rounded-[28px] bg-phone p-2.5">
        <div className="flex h-11 items-center rounded-t-[18px] bg-phone-bar px-4 text-cell font-semibold text-white">
          {name}
        </div>
        <ol
          ref={list}
          aria-live="polite"
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by key
          tabIndex={0}
          className="m-0 flex h-96 list-none flex-col gap-1.5 overflow-y-auto bg-wall p-3 text-body"
        >
          {messages.map(({ id, isOurs, text, time, isMarked }) => (
            <li
              key={id}
              className={joinClasses(
                'max-w-[86%] rounded-card px-2.5 py-1.5 break-words whitespace-pre-line text-ink',
                isOurs ? 'self-start bg-surface' : 'self-end bg-sand',
                isMarked && 'ring-2 ring-primary',
              )}
            >
              {text}
              {time && (
                <span className={joinClasses('ml-2 text-time', isOurs ? 'text-meta' : 'text-sand-time')}>{time}</span>
              )}
            </li>
          ))}
        </ol>
        <div className="min-h-3 rounded-b-[18px] bg-surface p-2">{children}</div>
      </div>
    </section>
  )
}
