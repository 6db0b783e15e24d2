//! A Bayesian network with its probability tables, and samples of it.

use std::collections::BTreeMap;

use super::parser::{Entry, EntryScope, ProbabilityBlock, parse_blocks};
use super::{BifError, BifErrorKind};
use crate::dataset::Target;
use crate::random::Random;
use crate::simulate::recipe::check_size;
use crate::simulate::{GENERATOR, SimulateError, Simulated, Truth, Variable};

/// The sum of the probabilities of a row may differ from 1 by this much, because files are rounded. Sampling uses
/// them in proportion.
const TOLERANCE: f64 = 0.01;
/// The largest accepted table.
const MAX_CELLS: usize = 1 << 26;

/// A Bayesian network of discrete variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// The name in the file.
    pub name: String,
    /// The variables in the order of the file.
    pub nodes: Vec<Node>,
    /// The nodes, parents before children.
    order: Vec<usize>,
}

/// One variable of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
    /// Its parents, as indices into [`Network::nodes`].
    pub parents: Vec<usize>,
    /// The probabilities of its values for each configuration of the parents. The last parent changes fastest.
    pub table: Vec<f64>,
}

impl Network {
    /// Reads a network from the text of a BIF file.
    pub fn parse(text: &str) -> Result<Network, BifError> {
        let blocks = parse_blocks(text)?;
        if blocks.variables.is_empty() {
            return Err(BifErrorKind::NoVariables.at(1));
        }
        let mut places = BTreeMap::new();
        for (place, variable) in blocks.variables.iter().enumerate() {
            if places.insert(variable.name.as_str(), place).is_some() {
                return Err(BifErrorKind::DuplicateVariable(variable.name.clone()).at(variable.line));
            }
        }
        let mut given: Vec<Option<Given>> = blocks.variables.iter().map(|_| None).collect();
        for block in &blocks.probabilities {
            let place = |name: &String| {
                let unknown = || BifErrorKind::UnknownVariable(name.clone()).at(block.line);
                places.get(name.as_str()).copied().ok_or_else(unknown)
            };
            let family: Vec<usize> = block.names.iter().map(place).collect::<Result<_, _>>()?;
            let values: Vec<&[String]> =
                family.iter().map(|&node| blocks.variables[node].values.as_slice()).collect();
            if given[family[0]].is_some() {
                return Err(BifErrorKind::DuplicateProbability(block.names[0].clone()).at(block.line));
            }
            let table = build_table(block, &values)?;
            given[family[0]] = Some(Given { line: block.line, parents: family[1..].to_vec(), table });
        }
        let mut nodes = Vec::new();
        let mut lines = Vec::new();
        for (variable, given) in blocks.variables.into_iter().zip(given) {
            let Some(Given { line, parents, table }) = given else {
                return Err(BifErrorKind::NoProbability(variable.name).at(variable.line));
            };
            nodes.push(Node { name: variable.name, values: variable.values, parents, table });
            lines.push(line);
        }
        let order = order_topologically(&nodes)
            .map_err(|node| BifErrorKind::Cycle(nodes[node].name.clone()).at(lines[node]))?;
        Ok(Network { name: blocks.name, nodes, order })
    }

    /// Draws rows. The true causes are the parents and children of the target, as single causes: the variables that
    /// no set of others separates from the target.
    pub fn sample(&self, rows: usize, target: &Target, seed: u64) -> Result<Simulated, SimulateError> {
        let place = self.nodes.iter().position(|node| node.name == target.name);
        let place = place.ok_or_else(|| SimulateError::NoTargetInNetwork {
            network: self.name.clone(),
            target: target.name.clone(),
        })?;
        check_size(rows, self.nodes.len())?;
        let node = &self.nodes[place];
        // A target without a value that counts as 1 is rejected before rows are drawn.
        Variable::nominal(node.name.clone(), node.values.clone(), Vec::new())
            .outcome(target.value.as_deref())?;
        let mut random = Random::new(seed);
        let mut codes: Vec<Vec<u16>> = vec![Vec::new(); self.nodes.len()];
        for &node in &self.order {
            let Node { values, parents, table, .. } = &self.nodes[node];
            codes[node] = (0..rows)
                .map(|row| {
                    let configuration = parents.iter().fold(0, |configuration, &parent| {
                        configuration * self.nodes[parent].values.len() + usize::from(codes[parent][row])
                    });
                    let first = configuration * values.len();
                    random.weighted(&table[first..first + values.len()]) as u16
                })
                .collect();
        }
        let variables: Vec<Variable> = self
            .nodes
            .iter()
            .zip(codes)
            .map(|(node, codes)| Variable::nominal(node.name.clone(), node.values.clone(), codes))
            .collect();
        let truth = Truth {
            target: target.label(),
            causes: self.neighbours(place).map(|node| vec![self.nodes[node].name.clone()]).collect(),
            numeric: Vec::new(),
            nominal: variables
                .iter()
                .filter(|variable| variable.code_of_true().is_none() && variable.name != target.name)
                .map(|variable| variable.name.clone())
                .collect(),
            generator: GENERATOR,
            recipe: self.name.clone(),
            seed,
            parameters: vec![("rows".into(), rows.to_string())],
        };
        Ok(Simulated { variables, target: target.clone(), truth })
    }

    /// The parents and children of a node, in the order of the file.
    fn neighbours(&self, node: usize) -> impl Iterator<Item = usize> {
        let related = move |&other: &usize| {
            self.nodes[node].parents.contains(&other) || self.nodes[other].parents.contains(&node)
        };
        (0..self.nodes.len()).filter(related)
    }
}

/// The contents of a `probability` block.
struct Given {
    line: usize,
    parents: Vec<usize>,
    table: Vec<f64>,
}

/// Builds the table of a block; `values` are those of the variable, then of each parent.
fn build_table(block: &ProbabilityBlock, values: &[&[String]]) -> Result<Vec<f64>, BifError> {
    let name = &block.names[0];
    let (own, parents) = (values[0].len(), &values[1..]);
    let cells = values.iter().try_fold(1usize, |cells, values| cells.checked_mul(values.len()));
    let cells = cells.filter(|&cells| cells <= MAX_CELLS).ok_or_else(|| {
        BifErrorKind::TableTooLarge { variable: name.clone(), limit: MAX_CELLS }.at(block.line)
    })?;
    let configurations = cells / own;
    let mut rows: Vec<Option<&[f64]>> = vec![None; configurations];
    let (mut full_table, mut default): (Option<Vec<f64>>, Option<&[f64]>) = (None, None);
    let duplicate = |entry: &Entry, what: &str| {
        BifErrorKind::DuplicateEntry { variable: name.clone(), entry: what.into() }.at(entry.line)
    };
    for entry in &block.entries {
        match &entry.scope {
            EntryScope::Table => {
                check_length(entry, name, cells)?;
                // The value of the variable changes slowest in the file and fastest in `Node::table`.
                let transposed =
                    (0..cells).map(|cell| entry.numbers[cell % own * configurations + cell / own]).collect();
                if full_table.replace(transposed).is_some() {
                    return Err(duplicate(entry, "table"));
                }
                if let Some(table) = &full_table {
                    table.chunks(own).try_for_each(|row| check_sum(entry, name, row))?;
                }
            }
            EntryScope::Default => {
                check_length(entry, name, own)?;
                check_sum(entry, name, &entry.numbers)?;
                if default.replace(&entry.numbers).is_some() {
                    return Err(duplicate(entry, "default"));
                }
            }
            EntryScope::Row(parent_values) => {
                check_length(entry, name, own)?;
                check_sum(entry, name, &entry.numbers)?;
                let configuration = find_configuration(entry, &block.names, parent_values, parents)?;
                if rows[configuration].replace(&entry.numbers).is_some() {
                    return Err(duplicate(entry, &format!("row for ({})", parent_values.join(", "))));
                }
            }
        }
    }
    if let Some(full_table) = full_table {
        if default.is_some() || rows.iter().any(Option::is_some) {
            return Err(BifErrorKind::TableAndRows(name.clone()).at(block.line));
        }
        return Ok(full_table);
    }
    let mut table = Vec::with_capacity(cells);
    for (configuration, row) in rows.iter().enumerate() {
        let row = row.or(default).ok_or_else(|| {
            let configuration = configuration_values(configuration, parents);
            BifErrorKind::MissingConfiguration { variable: name.clone(), configuration }.at(block.line)
        })?;
        table.extend_from_slice(row);
    }
    Ok(table)
}

fn check_length(entry: &Entry, name: &str, length: usize) -> Result<(), BifError> {
    let given = entry.numbers.len();
    if given == length {
        return Ok(());
    }
    let variable = name.into();
    Err(BifErrorKind::WrongNumberOfProbabilities { variable, needed: length, given }.at(entry.line))
}

fn check_sum(entry: &Entry, name: &str, row: &[f64]) -> Result<(), BifError> {
    let sum: f64 = row.iter().sum();
    if (sum - 1.0).abs() <= TOLERANCE {
        return Ok(());
    }
    Err(BifErrorKind::WrongSum { variable: name.into(), sum }.at(entry.line))
}

/// The index of a configuration of the parents.
fn find_configuration(
    entry: &Entry,
    names: &[String],
    given: &[String],
    parents: &[&[String]],
) -> Result<usize, BifError> {
    if given.len() != parents.len() {
        let (variable, parents, given) = (names[0].clone(), parents.len(), given.len());
        return Err(BifErrorKind::WrongNumberOfParentValues { variable, parents, given }.at(entry.line));
    }
    let mut configuration = 0;
    for ((value, values), name) in given.iter().zip(parents).zip(&names[1..]) {
        let place = values.iter().position(|other| other == value);
        let place = place.ok_or_else(|| {
            let (variable, value) = (name.clone(), value.clone());
            BifErrorKind::UnknownValue { variable, value }.at(entry.line)
        })?;
        configuration = configuration * values.len() + place;
    }
    Ok(configuration)
}

/// The values of the parents in a configuration.
fn configuration_values(mut configuration: usize, parents: &[&[String]]) -> Vec<String> {
    let mut found = Vec::new();
    for values in parents.iter().rev() {
        found.push(values[configuration % values.len()].clone());
        configuration /= values.len();
    }
    found.reverse();
    found
}

/// The nodes, parents before children and otherwise in the order of the file. The error is a node on a cycle.
fn order_topologically(nodes: &[Node]) -> Result<Vec<usize>, usize> {
    let mut order = Vec::new();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut waiting: Vec<usize> = nodes.iter().map(|node| node.parents.len()).collect();
    for (node, Node { parents, .. }) in nodes.iter().enumerate() {
        parents.iter().for_each(|&parent| children[parent].push(node));
    }
    let mut ready: std::collections::BTreeSet<usize> =
        (0..nodes.len()).filter(|&node| waiting[node] == 0).collect();
    while let Some(node) = ready.pop_first() {
        order.push(node);
        for &child in &children[node] {
            waiting[child] -= 1;
            if waiting[child] == 0 {
                ready.insert(child);
            }
        }
    }
    let Some(stuck) = (0..nodes.len()).find(|&node| waiting[node] > 0) else { return Ok(order) };
    // Every waiting node has a waiting parent, so that the path upwards leads to a cycle.
    let up = |node: usize| nodes[node].parents.iter().copied().find(|&parent| waiting[parent] > 0);
    Err((0..nodes.len()).fold(stuck, |node, _| up(node).unwrap_or(node)))
}
