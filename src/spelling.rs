//! Layer 0: a name that is none → the names that were probably meant. Knows no kind of name.

/// The most names that a sentence lists.
const LISTED: usize = 20;
/// The most edits between a name and one that is near to it.
const FARTHEST: usize = 3;

/// A sentence with the nearest of the names that would have worked, or all of them where none is near.
pub fn available(wanted: &str, names: &[&str], what: &str) -> String {
    if names.is_empty() {
        return format!("There are no {what}.");
    }
    match nearest(wanted, names).first() {
        Some(nearest) => format!("Did you mean `{nearest}`?"),
        None => format!("Available {what}: {}.", listed(names)),
    }
}

/// Names in backticks, the first twenty, and how many more there are.
pub fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

/// The names at the least edit distance, sorted, if that is small for the length of what was wanted.
pub fn nearest<'a>(wanted: &str, names: &[&'a str]) -> Vec<&'a str> {
    let wanted: Vec<char> = wanted.to_lowercase().chars().collect();
    // A name of one letter is near to any other.
    let farthest = (wanted.len() / 3).clamp(1, FARTHEST).min(wanted.len().saturating_sub(1));
    let mut nearest: Vec<&str> = Vec::new();
    let mut least = farthest;
    let mut name_characters = Vec::new();
    for name in names {
        name_characters.clear();
        name_characters.extend(name.chars().flat_map(char::to_lowercase));
        let Some(found) = distance(&wanted, &name_characters, least) else { continue };
        if found < least {
            nearest.clear();
        }
        least = found;
        nearest.push(name);
    }
    nearest.sort_unstable();
    nearest.dedup();
    nearest
}

/// How many characters must be added, removed, replaced or swapped with their neighbour (optimal string alignment); none
/// where they are more than `most`. A text takes as long as the shorter of both, whatever the other is.
fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i];
        for j in 1..=b.len() {
            let replaced = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            next.push(least);
        }
        // What is too far in two rows stays so in those that follow.
        if next.iter().chain(&row).all(|distance| *distance > most) {
            return None;
        }
        before = std::mem::replace(&mut row, next);
    }
    Some(row[b.len()]).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_named_and_a_far_one_lists_all() {
        assert_eq!(available("custmer", &["customer", "month"], "columns"), "Did you mean `customer`?");
        assert_eq!(available("nmae", &["name", "month"], "columns"), "Did you mean `name`?");
        assert_eq!(available("zzz", &["customer", "month"], "columns"), "Available columns: `customer`, `month`.");
    }

    #[test]
    fn all_that_are_equally_near_are_named() {
        assert_eq!(nearest("GE", &["EQ", "NE", "GT", "GTE", "LT", "IN"]), ["GT", "GTE", "NE"]);
        assert_eq!(nearest("eq", &["EQ", "NE"]), ["EQ"]);
        assert_eq!(nearest("x", &["a", "b"]), [""; 0]);
        assert_eq!(nearest("", &["a"]), [""; 0]);
    }

    #[test]
    fn a_long_name_costs_no_more_than_its_length() {
        let long = "a".repeat(1 << 20);
        let names: Vec<String> = (0..512).map(|number| format!("{}{number}", "a".repeat(90))).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let started = std::time::Instant::now();
        assert_eq!(nearest(&long, &names), [""; 0]);
        assert!(started.elapsed().as_secs() < 2, "{:?}", started.elapsed());
    }
}
