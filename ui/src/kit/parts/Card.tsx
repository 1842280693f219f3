import type { ReactNode } from 'react'
import { joinClasses } from './classes.ts'

/** A sheet with a line around it. `<Card title={t('messages')} text={t('messages.hint')}>…</Card>` */
export function Card({
  title,
  text,
  className,
  children,
}: {
  title?: string
  text?: string
  className?: string
  children?: ReactNode
}) {
  return (
    <section className={joinClasses('b-card', className)}>
      {title && (
        <header className="b-card-head">
          <h2 className="b-card-title">{title}</h2>
          {text && <p className="b-hint">{text}</p>}
        </header>
      )}
      {children}
    </section>
  )
}

interface PageProps {
  readonly title: string
  /** One line of fact under the title. */
  readonly intro?: ReactNode
  /** Buttons at the right; the filled one comes last. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page of administration: title, intro, actions, content, with the right paddings on every width. */
export function Page({ title, intro, actions, children }: PageProps) {
  return (
    <div className="b-page">
      <header className="b-page-head">
        <div>
          <h1 className="b-page-title">{title}</h1>
          {intro && <p className="b-page-intro">{intro}</p>}
        </div>
        {actions && <div className="b-page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
