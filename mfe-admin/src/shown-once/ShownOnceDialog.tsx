import { Button, copyText, Dialog } from '@balcao/ui/parts'
import { useHeldPage } from '@balcao/ui/screens'
import { Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'

interface ShownOnceDialogProps {
  readonly words: Readonly<Record<'title' | 'intro' | 'copy' | 'done' | 'question' | 'confirm' | 'back', string>>
  readonly width: number
  /** What must not be lost. */
  readonly secrets: readonly string[]
  /** All of it, as the button copies it. */
  readonly text: string
  readonly onClose: () => void
  readonly children: (copying: SecretCopying) => ReactNode
}

interface SecretCopying {
  readonly copied: ReadonlySet<string>
  copy(secret: string): void
  /** Copied by hand. */
  markCopied(secret: string): void
}

/** Secrets that are shown this once: nobody can ask for them again, so they go only when all were copied, or somebody says they are kept. */
export function ShownOnceDialog({ words, width, secrets, text, onClose, children }: ShownOnceDialogProps) {
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set())
  const [isAsking, setAsking] = useState(false)
  const isKept = secrets.every(secret => copied.has(secret))
  // Escape, the cross and a press beside it ask, however often.
  const leave = () => (isKept ? onClose() : setAsking(true))
  useHeldPage(!isKept)

  function markCopied(parts: readonly string[]) {
    setCopied(before => new Set([...before, ...parts]))
    setAsking(false)
  }
  async function copy(line: string, parts: readonly string[]) {
    if (await copyText(line)) markCopied(parts)
  }
  return (
    <Dialog
      title={words.title}
      intro={words.intro}
      width={width}
      onClose={leave}
      className="is-form"
      footer={
        isAsking ? (
          <>
            <strong className="b-foot-question" role="alert">
              {words.question}
            </strong>
            <Button kind="plain" onClick={onClose}>
              {words.confirm}
            </Button>
            <Button kind="primary" ref={button => button?.focus()} onClick={() => setAsking(false)}>
              {words.back}
            </Button>
          </>
        ) : (
          <>
            <Button icon={Copy} data-autofocus="" onClick={() => void copy(text, secrets)}>
              {words.copy}
            </Button>
            <Button kind="primary" onClick={leave}>
              {words.done}
            </Button>
          </>
        )
      }
    >
      {children({
        copied,
        copy: secret => void copy(secret, [secret]),
        markCopied: secret => markCopied([secret]),
      })}
    </Dialog>
  )
}
