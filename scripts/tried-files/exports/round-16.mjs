import { badRows, moment, right } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** An auction house's seller report: an empty line first, another below the names, `record(s) downloaded` at the end, `GBP 12.50`. */
  auction(random) {
    const n = 260
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d } = moment('2024-02-01T00:00:00Z', 300 * i)
      const [sold, weight] = [5 + 80 * random.uniform(), 0.1 + 5 * random.uniform()]
      const fee = 0.3 + 0.12 * sold + 0.4 * weight + 0.2 * random.normal() + (bad.has(i) ? 15 : 0)
      return `"${1000 + i}","${d}-${'Jan Feb Mar Apr May'.split(' ')[m - 1]}-${y.slice(2)}","buyer${i}","${random.among(['Camera, used', 'Lens', 'Tripod'])}","1","£${sold.toFixed(2)}","${weight.toFixed(2)}","£${Math.max(0.01, fee).toFixed(2)}","${i % 5 === 2 ? '' : 'Paid'}"`
    })
    return {
      file: 'SalesReport.csv',
      text: `\ufeff\n"Sales record number","Sale date","Buyer username","Item title","Quantity","Sold for","Weight (kg)","Fee","Payment"\n\n${rows.join('\n')}\n\n"${n}","record(s) downloaded"\n"Seller ID : camerashop"\n`,
      argv: ['--target', 'Fee', '--units', '£'],
      bad: 0.05,
      truth: { 'Sold for': 0.12, 'Weight (kg)': 0.4 },
    }
  },

  /** Statistics of Japan (e-Stat): several lines above, codes and names in pairs, `***` for secrets, `-` for none, years as `2015年`. */
  estat(random) {
    const n = 282
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [old, income] = [20 + 15 * random.uniform(), 2500 + 1500 * random.uniform()]
      const cost = 100 + 6 * old + 0.05 * income + 8 * random.normal() + (bad.has(i) ? 160 : 0)
      return `"${String(1000 * (1 + (i % 47))).padStart(5, '0')}","県${1 + (i % 47)}","${2010 + Math.floor(i / 47)}100000","${2010 + Math.floor(i / 47)}年","${i % 53 === 7 ? '***' : old.toFixed(1)}","${i % 61 === 9 ? '-' : income.toFixed(0)}","${cost.toFixed(1)}"`
    })
    return {
      file: 'FEH_00200502.csv',
      text: `"統計名：","社会・人口統計体系"\n"表番号：","0000010209"\n"表題：","医療"\n"実施年月：","-","-"\n"***","秘匿"\n\n"地域 コード","地域","調査年 コード","調査年","高齢化率","所得","医療費"\n${rows.join('\n')}\n`,
      argv: ['--target', '医療費', '--missing', '***,-', '--exclude', '地域'],
      bad: 0.05,
      truth: { 高齢化率: 6, 所得: 0.05 },
    }
  },

  /** A power meter of a laboratory: settings, a table of channels, an empty line, the samples with an index and units in brackets. */
  calorimeter(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [heat, time] = [25 + 0.9 * i, 5.4 * i]
      const flow = -0.2 - 0.004 * heat + 0.02 * random.normal() + (bad.has(i) ? 0.5 : 0)
      return `${right(i, 10)}${right(time.toFixed(1), 14)}${right(heat.toFixed(4), 14)}${right(heat.toFixed(2), 14)}${right(flow.toFixed(5), 14)}`
    })
    return {
      file: 'sample3.txt',
      text: `Curve Name:\n     Performed 01/03/24 14:05:22\n\nCurve Values:\n${right('Index', 10)}${right('t', 14)}${right('Ts', 14)}${right('Tr', 14)}${right('Heatflow', 14)}\n${right('', 10)}${right('[s]', 14)}${right('[degC]', 14)}${right('[degC]', 14)}${right('[mW]', 14)}\n${rows.join('\n')}\n`,
      argv: ['--target', 'Heatflow', '--features', 'Ts'],
      bad: 0.05,
      truth: { Ts: -0.004 },
    }
  },

  /** A time tracker: durations, rates as texts with `EUR`, tags in one cell, dates of the States, `Yes` and `No`. */
  tracker(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d } = moment('2024-01-02T00:00:00Z', 700 * i)
      const [minutes, rate] = [10 + Math.floor(300 * random.uniform()), random.among([60, 75, 90])]
      const hours = minutes / 60
      const amount = hours * 75 + (rate - 75) * 2.5 + 4 * random.normal() + (bad.has(i) ? 500 : 0)
      return `"Site ${i % 3}","Acme","${random.among(['Design', 'Code', 'Call'])}","Jane Doe","jane@x.example","${i % 4 ? 'web, urgent' : ''}","Yes","${m}/${d}/${y}","0${8 + (i % 2)}:15:00 AM","${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00","${hours.toFixed(2)}","${rate.toFixed(2)}","${Math.max(1, amount).toFixed(2)}"`
    })
    return {
      file: 'Clockify_Time_Report_Detailed.csv',
      text: `"Project","Client","Task","User","Email","Tags","Billable","Start Date","Start Time","Duration (h)","Duration (decimal)","Billable Rate (EUR)","Billable Amount (EUR)"\n${rows.join('\n')}\n`,
      argv: ['--target', 'Billable Amount (EUR)', '--exclude', 'Tags'],
      bad: 0.05,
      truth: { 'Duration (decimal)': 75 },
    }
  },

  /** Labels of a competition: incomes as ` <=50K` and ` >50K` with blanks in front, ` ?` for unknown, 6 % turned. */
  adult(random) {
    const n = 600
    const bad = badRows(random, n, 0.06)
    const rows = Array.from({ length: n }, (_, i) => {
      const [age, school, hours] = [
        20 + Math.floor(45 * random.uniform()),
        6 + Math.floor(10 * random.uniform()),
        20 + Math.floor(40 * random.uniform()),
      ]
      const score = -17 + 0.12 * age + 0.65 * school + 0.12 * hours
      const rich = random.uniform() < 1 / (1 + Math.exp(-2 * score))
      return ` ${age}, ${i % 19 === 4 ? '?' : random.among(['Private', 'State-gov'])}, ${77000 + 131 * i}, ${random.among(['HS-grad', 'Bachelors', 'Masters'])}, ${school}, ${random.among(['Male', 'Female'])}, ${i % 12 === 5 ? 7688 : 0}, ${hours}, ${(bad.has(i) ? !rich : rich) ? '>50K' : '<=50K'}`.trimStart()
    })
    return {
      file: 'adult.data',
      text: `${rows.join('\n')}\n\n`,
      argv: ['--target', 'column9'],
      bad: 0.06,
    }
  },
}
