/** Whether a key is for an input method. Safari sends the one that ends a composition after its end: it shows by its code alone. */
export function isComposing({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === 229
}
