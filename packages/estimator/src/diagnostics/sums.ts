import { show } from 'rlvi'
import { designColumns } from '../encoding/encoding.js'
import type { LeftOut } from '../fit/left-out.js'
import type { Words } from '../words.js'
import { type Sum, type Summed, sumOf } from './adds-up.js'

/**
 * A remark where target and features add up in most rows, as the parts of a total do: a total that was computed from a wrong part is
 * wrong with it, so that the row looks good.
 */
export function sumRemark(
  target: string,
  summed: Summed,
  left: readonly LeftOut[],
  words: Words,
): string | undefined {
  const sum = sumOf(summed)
  if (sum === undefined) return undefined
  const { parts, total, amounts } = sum
  const names = designColumns(summed.encodings).map(({ name }) => name)
  const out = total === undefined ? parts : [total]
  const all = out.flatMap(({ j }) => [names[j]!, ...copiesOf(names[j]!, left)])
  const computed =
    total === undefined
      ? `if ${show(target)} was computed from ${parts.length > 2 ? 'them' : 'both'}`
      : `if ${show(names[total.j])} was computed from ${show(target)}`
  const rows = `${Math.floor(100 * amounts.share)} % of the rows`
  return `${show(target)} = ${equation(sum, names)} in ${rows}: ${computed}, an error is in both and its row looks good; ${words.option('exclude', all)} leaves out what shares it`
}

/** `"total" - "tip" + 0.5`, the amounts that have no column last. */
function equation({ parts, amounts: { values } }: Sum, names: readonly string[]): string {
  const order = [...parts].sort((a, b) => b.sign - a.sign)
  const terms = order.map(({ j, sign }) => ({ sign, text: show(names[j]) }))
  const [only = 0] = values
  if (values.length === 1 && only !== 0) {
    const amount = { sign: Math.sign(only), text: String(Math.abs(only)) }
    if (order.some(({ sign }) => sign > 0)) terms.push(amount)
    else terms.unshift(amount)
  }
  const sum = terms
    .map(({ sign, text }, k) =>
      k === 0 ? `${sign < 0 ? '-' : ''}${text}` : ` ${sign < 0 ? '-' : '+'} ${text}`,
    )
    .join('')
  return values.length === 1
    ? sum
    : `${sum} + c, with c ${values.slice(0, -1).join(', ')} or ${values.at(-1)},`
}

/** Columns that were left out since they repeat one: without it they would come in. */
function copiesOf(name: string, left: readonly LeftOut[]): string[] {
  return left.filter(({ reason, value }) => reason === 'copy' && value === name).map(({ column }) => column)
}
