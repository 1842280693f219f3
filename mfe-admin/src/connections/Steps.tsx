import { useTexts } from '@balcao/ui/i18n'

/** Numbered steps 1 to 3 on the phone; the words in `<b>` are what stands on its screen. */
export function Steps({ prefix }: { readonly prefix: 'qr' | 'pair' }) {
  const t = useTexts('connections')
  return (
    <ol className="m-0 grid list-none gap-3 p-0 text-body text-ink">
      {['step1', 'step2', 'step3'].map((step, index) => (
        <li key={step} className="flex items-start gap-3">
          <span
            aria-hidden="true"
            className="grid size-[22px] flex-none place-items-center rounded-full bg-primary-tint text-tag font-semibold text-primary-text"
          >
            {index + 1}
          </span>
          <span>
            {t(`${prefix}.${step}`)
              .split(/<b>(.*?)<\/b>/)
              .map((part, at) =>
                at % 2 === 0 ? (
                  part
                ) : (
                  <strong key={part} className="font-semibold">
                    {part}
                  </strong>
                ),
              )}
          </span>
        </li>
      ))}
    </ol>
  )
}
